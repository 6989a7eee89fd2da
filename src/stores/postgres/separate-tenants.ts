/** SQL: whether the session user may act as the agent of a row of `agents`. A dropped role may not. */
const mayAct = `CASE WHEN login IS NULL THEN longhand.is_owner()
    ELSE coalesce(pg_has_role(session_user, to_regrole(quote_ident(login))::oid, 'member'), false) END`;

/** The minimal privileges of a tenant, on tables of these kinds of the catalog. */
export const grantTenant = (tableKinds: string): string => `
CREATE OR REPLACE FUNCTION longhand.grant_tenant(tenant name) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  relation name;
  names text;
BEGIN
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA longhand FROM %1$I;
    REVOKE ALL ON ALL SEQUENCES IN SCHEMA longhand FROM %1$I; REVOKE ALL ON SCHEMA longhand FROM %1$I;
    GRANT USAGE ON SCHEMA longhand TO %1$I; GRANT SELECT ON ALL TABLES IN SCHEMA longhand TO %1$I', tenant);
  FOR relation, names IN
    SELECT c.relname, string_agg(quote_ident(a.attname), ', ') FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'longhand'::regnamespace AND c.relkind IN (${tableKinds}) AND c.relname <> 'migrations'
      AND a.attname <> ALL ('{agent_id,id,name,login}'::name[])
    GROUP BY c.relname
  LOOP
    EXECUTE format('GRANT UPDATE (%s) ON longhand.%I TO %I', names, relation, tenant);
    IF relation <> 'agents' THEN EXECUTE format('GRANT INSERT ON longhand.%I TO %I', relation, tenant); END IF;
  END LOOP;
END $$;`;

/**
 * Tenants that do not trust each other: roles that own nothing and are bound to agents by `add_agent`.
 *
 * Every key contains the agent, so that tenants' rows never conflict. Vector indexes get the agent into their condition
 * too; the next sync rebuilds them. Rows are deleted by a function, because the DELETE privilege also allows locking the
 * table; for the same reason UPDATE is granted by column. A SECURITY DEFINER function runs as its owner, so policies
 * check the session user.
 */
export const separateTenants = (ownedTables: readonly string[]): string => `
CREATE FUNCTION longhand.is_owner() RETURNS bool LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = 'longhand.agents'::regclass), 'member');
END;
CREATE OR REPLACE FUNCTION longhand.current_agent() RETURNS int4 LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT id FROM longhand.agents WHERE name = current_setting('longhand.agent', true) AND ${mayAct};
END;
DROP POLICY own_rows ON longhand.agents;
CREATE POLICY own_rows ON longhand.agents USING (name = current_setting('longhand.agent', true) AND ${mayAct});
CREATE POLICY see_agents ON longhand.agents FOR SELECT USING (
  current_setting('longhand.managing', true) = 'on' AND longhand.is_owner());
CREATE POLICY add_agents ON longhand.agents FOR INSERT WITH CHECK (longhand.is_owner());
CREATE POLICY bind_agents ON longhand.agents FOR UPDATE USING (login IS NULL AND longhand.is_owner())
  WITH CHECK (longhand.is_owner());
ALTER TABLE longhand.migrations ENABLE ROW LEVEL SECURITY;
CREATE POLICY read_versions ON longhand.migrations FOR SELECT USING (true);

ALTER TABLE longhand.files DROP CONSTRAINT files_pkey, ADD PRIMARY KEY (agent_id, id);
DROP INDEX longhand.chunks_file;
CREATE INDEX chunks_file ON longhand.chunks (agent_id, file_id, position);
DO $$ DECLARE graph name; BEGIN
  FOR graph IN SELECT relname FROM pg_class
    WHERE relnamespace = 'longhand'::regnamespace AND relkind = 'i' AND relname ~ '^chunks_vec_[0-9]+$'
  LOOP EXECUTE format('DROP INDEX longhand.%I', graph); END LOOP;
END $$;
ALTER TABLE longhand.chunks_vec DROP CONSTRAINT chunks_vec_pkey, ADD PRIMARY KEY (agent_id, embedder_id, key);
ALTER TABLE longhand.embedders ALTER COLUMN id DROP IDENTITY, DROP CONSTRAINT embedders_pkey,
  ADD PRIMARY KEY (agent_id, id);
ALTER TABLE longhand.agents ADD COLUMN next_set int4 NOT NULL DEFAULT 1;
ALTER TABLE longhand.agents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE longhand.embedders NO FORCE ROW LEVEL SECURITY;
UPDATE longhand.agents a SET next_set = 1 + s.last
  FROM (SELECT agent_id, max(id) AS last FROM longhand.embedders GROUP BY agent_id) AS s WHERE s.agent_id = a.id;
ALTER TABLE longhand.embedders FORCE ROW LEVEL SECURITY;
ALTER TABLE longhand.agents FORCE ROW LEVEL SECURITY;
ALTER TABLE longhand.work ADD COLUMN lock_key int8 NOT NULL DEFAULT 0, ADD COLUMN backend int4 NOT NULL DEFAULT 0;

CREATE FUNCTION longhand.delete_rows(table_name text, places tid[]) RETURNS int8
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  agent int4 := longhand.current_agent();
  deleted int8;
BEGIN
  IF table_name <> ALL (ARRAY[${ownedTables.map((table) => `'${table}'`).join(", ")}]) THEN
    RAISE EXCEPTION 'longhand.delete_rows: % is no table with rows of agents', table_name;
  END IF;
  EXECUTE format('DELETE FROM longhand.%I WHERE ctid = ANY ($1) AND agent_id = $2', table_name) USING places, agent;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;

${grantTenant("'r'")}

CREATE FUNCTION longhand.secure_tenants() RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
DECLARE tenant name;
BEGIN
  REVOKE ALL ON ALL TABLES IN SCHEMA longhand FROM PUBLIC;
  FOR tenant IN
    SELECT DISTINCT r.rolname FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS g
    JOIN pg_roles r ON r.oid = g.grantee
    WHERE c.relnamespace = 'longhand'::regnamespace AND c.relkind = 'r' AND g.grantee <> c.relowner
      AND g.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
  LOOP PERFORM longhand.grant_tenant(tenant); END LOOP;
END $$;

CREATE FUNCTION longhand.add_agent(agent text, tenant name) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  role pg_roles;
  owner oid := (SELECT relowner FROM pg_class WHERE oid = 'longhand.agents'::regclass);
BEGIN
  SELECT * INTO role FROM pg_roles WHERE rolname = tenant;
  IF role.oid IS NULL THEN
    RAISE EXCEPTION 'there is no role %', tenant USING HINT = 'Create it first: CREATE ROLE … LOGIN PASSWORD …';
  END IF;
  IF role.rolsuper OR role.rolbypassrls OR pg_has_role(tenant, owner, 'member') THEN
    RAISE EXCEPTION 'the role % sees the rows of all agents', tenant
      USING HINT = 'Bind agents to a role that is no superuser, has no BYPASSRLS and is no member of the owner.';
  END IF;
  PERFORM set_config('longhand.agent', agent, true), set_config('longhand.managing', 'on', true);
  UPDATE longhand.agents SET login = tenant WHERE name = agent AND login IS NULL;
  IF EXISTS (SELECT 1 FROM longhand.agents WHERE name = agent AND login IS DISTINCT FROM tenant::text) THEN
    RAISE EXCEPTION 'the agent % is bound to another role already', agent;
  END IF;
  INSERT INTO longhand.agents (name, login) VALUES (agent, tenant) ON CONFLICT (name) DO NOTHING;
  PERFORM set_config('longhand.managing', 'off', true), longhand.grant_tenant(tenant);
END $$;
REVOKE EXECUTE ON FUNCTION longhand.grant_tenant(name), longhand.secure_tenants(), longhand.add_agent(text, name)
  FROM PUBLIC;`;

/**
 * The functions of the policies in PL/pgSQL, which plans their queries once per session. In SQL they were planned again
 * for every table of every statement: a fifth of the server's time of a search.
 *
 * They run as their caller, so names are looked up in a path that a tenant cannot set.
 */
export const cacheFunctions = `
CREATE OR REPLACE FUNCTION longhand.is_owner() RETURNS bool LANGUAGE plpgsql STABLE
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = 'longhand.agents'::regclass), 'member');
END $$;
CREATE OR REPLACE FUNCTION longhand.current_agent() RETURNS int4 LANGUAGE plpgsql STABLE
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (SELECT id FROM longhand.agents WHERE name = current_setting('longhand.agent', true) AND ${mayAct});
END $$;`;
