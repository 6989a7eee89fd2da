/** The tables that grow with the number of chunks, and the schema of their partitions. */
const largeTables = ["chunks", "postings", "fresh_words", "chunks_vec", "embedding_cache"] as const;
export const partitionSchema = "longhand_parts";

/**
 * For servers with many millions of chunks: `partition_tables` splits the large tables by agent, with all their rows.
 * Every key begins with the agent and every statement names it, so a statement meets one partition.
 *
 * Partitions are in a schema of their own, which tenants cannot use: the policies of a table do not apply to someone
 * who names a partition of it. Row-level security without a policy hides their rows from the owner as well.
 *
 * `part_of` finds the table with the rows of an agent. pgvector's graphs are built there: PostgreSQL cannot build an
 * index of a partitioned table without stopping its writers.
 */
export const partitionTables = `
CREATE FUNCTION longhand.part_of(whole regclass, agent int4) RETURNS regclass LANGUAGE sql STABLE
  SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce((SELECT c.oid::regclass FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = whole AND satisfies_hash_partition(whole,
      (SELECT count(*)::int4 FROM pg_inherits WHERE inhparent = whole), substring(c.relname FROM '[0-9]+$')::int4, agent)),
    whole)
$$;

CREATE FUNCTION longhand.partition_tables(parts int4) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  whole name;
  part name;
  graph regclass;
  options text;
  old_column int2 := (SELECT attnum FROM pg_attribute
    WHERE attrelid = 'longhand.chunks_vec'::regclass AND attname = 'embedding' AND NOT attisdropped);
BEGIN
  IF parts IS NULL OR parts NOT BETWEEN 2 AND 1024 THEN
    RAISE EXCEPTION 'longhand.partition_tables: % is not a number of partitions from 2 to 1024', parts;
  END IF;
  IF EXISTS (SELECT 1 FROM pg_inherits WHERE inhparent = 'longhand.chunks'::regclass) THEN
    RAISE EXCEPTION 'the tables of longhand are partitioned already';
  END IF;
  LOCK TABLE longhand.agents IN ACCESS EXCLUSIVE MODE;
  FOR graph IN SELECT oid::regclass FROM pg_class
    WHERE relnamespace = 'longhand'::regnamespace AND relkind = 'i' AND relname ~ '^chunks_vec_[0-9]+_[0-9]+$'
  LOOP EXECUTE format('DROP INDEX %s', graph); END LOOP;
  CREATE SCHEMA ${partitionSchema};
  FOREACH whole IN ARRAY ARRAY[${largeTables.map((table) => `'${table}'`).join(", ")}] LOOP
    options := (SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = format('longhand.%I', whole)::regclass);
    EXECUTE format('ALTER TABLE longhand.%1$I NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE longhand.%1$I SET SCHEMA ${partitionSchema};
      CREATE TABLE longhand.%1$I (LIKE ${partitionSchema}.%1$I INCLUDING ALL) PARTITION BY HASH (agent_id)', whole);
    FOR number IN 0 .. parts - 1 LOOP
      part := whole || '_' || number;
      EXECUTE format('CREATE TABLE ${partitionSchema}.%1$I PARTITION OF longhand.%2$I
        FOR VALUES WITH (MODULUS %3$s, REMAINDER %4$s)', part, whole, parts, number);
      IF options IS NOT NULL THEN EXECUTE format('ALTER TABLE ${partitionSchema}.%I SET (%s)', part, options); END IF;
      EXECUTE format('ALTER TABLE ${partitionSchema}.%1$I ENABLE ROW LEVEL SECURITY;
        ALTER TABLE ${partitionSchema}.%1$I FORCE ROW LEVEL SECURITY', part);
    END LOOP;
    EXECUTE format('INSERT INTO longhand.%1$I SELECT * FROM ${partitionSchema}.%1$I;
      DROP TABLE ${partitionSchema}.%1$I;
      ALTER TABLE longhand.%1$I ENABLE ROW LEVEL SECURITY;
      ALTER TABLE longhand.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own_rows ON longhand.%1$I USING (agent_id = (SELECT longhand.current_agent()))', whole);
  END LOOP;
  -- The column has another number now, and the same contents.
  ALTER TABLE longhand.embedders NO FORCE ROW LEVEL SECURITY;
  UPDATE longhand.embedders e SET half_column = a.attnum FROM pg_attribute a
    WHERE a.attrelid = 'longhand.chunks_vec'::regclass AND a.attname = 'embedding'
      AND e.half_column = old_column;
  ALTER TABLE longhand.embedders FORCE ROW LEVEL SECURITY;
  PERFORM longhand.secure_tenants();
END $$;
REVOKE EXECUTE ON FUNCTION longhand.partition_tables(int4) FROM PUBLIC;`;
