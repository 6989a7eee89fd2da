import { mayAct } from "./separate-tenants.ts";

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
