import type { Client } from "pg";
import { sha256 } from "../../text/hash.ts";
import type { Sql } from "./database.ts";
import { fromSqlText, toSqlText } from "./sql-values.ts";

interface Binding {
  readonly isOver: () => boolean;
  /** Called for every failed statement, in order. */
  readonly onFailed: (error: unknown) => void;
  /** Statements with values are parsed once per connection, and planned only as often as the server finds useful. */
  readonly isPrepared: boolean;
}

/** Statements of one transaction on this connection. */
export function bindSql(client: Pick<Client, "query">, { isOver, onFailed, isPrepared }: Binding): Sql {
  return async <T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> => {
    // If one of several concurrent statements failed, the others must not reach the next transaction.
    if (isOver()) throw new Error("the transaction is over");
    // Named by its text, so that a name means the same to all who share a session.
    const named = isPrepared && values.length > 0 ? { name: `longhand_${sha256(text).slice(0, 32)}` } : {};
    const asked = client.query({ text, values: values.map(encode), ...named });
    asked.catch(onFailed);
    // A text with several statements has several results.
    const { rows = [] } = (await asked) as { rows?: Record<string, unknown>[] };
    for (const row of rows) {
      for (const name in row) if (typeof row[name] === "string") row[name] = fromSqlText(row[name]);
    }
    return rows as T[];
  };
}

function encode(value: unknown): unknown {
  if (typeof value === "string") return toSqlText(value);
  if (!Array.isArray(value)) return value;
  return value.map((each: unknown) => (typeof each === "string" ? toSqlText(each) : each));
}
