import { type ComponentChildren, Fragment } from "preact";
import { countOf, formatCount } from "../../../text/count-of.ts";
import { formatBytes, formatUsd } from "../../../text/figures.ts";
import type { ServedStatus } from "../api.ts";
import { WithCode } from "../parts/with-code.tsx";

/** What is indexed, which model embedded it, and how large it is. */
export function IndexFacts({ known }: { known: ServedStatus }) {
  const { embedding, vector, cache, sizes, fallback, fts } = known;
  return (
    <div class="facts-grid">
      <Facts title="Contents">
        <Fact name="agent">{known.agentId}</Fact>
        {known.sourceCounts.map(({ source, files, chunks }) => (
          <Fact name={source === "memory" ? "notes" : source} key={source}>
            {formatCount(files)}, in {countOf(chunks, "chunk")}
          </Fact>
        ))}
        <Fact name="workspace">
          <Path of={known.workspaceDir} />
        </Fact>
        <Fact name="index file">
          <Path of={known.dbPath} />
        </Fact>
        {fts.available ? null : <Fact name="keywords">cannot be searched: {fts.error}</Fact>}
        {known.quarantined.map((file) => (
          <Fact name="quarantined" key={file}>
            <Path of={file} />
          </Fact>
        ))}
      </Facts>
      <Facts title="Semantic search">
        <Fact name="provider">
          {known.provider}
          {known.requestedProvider === known.provider ? "" : ` (requested: ${known.requestedProvider})`}
        </Fact>
        {known.model === undefined ? null : <Fact name="model">{known.model}</Fact>}
        <Fact name="reason">
          <WithCode text={embedding.why} />
        </Fact>
        {fallback === undefined ? null : (
          <Fact name="fallback">
            <span class="flag">
              {fallback.to} instead of {fallback.from}
            </span>{" "}
            <WithCode text={fallback.reason} />
          </Fact>
        )}
        <Fact name="vectors">
          {vector.available
            ? `${formatCount(embedding.texts)} texts${vector.dims === undefined ? "" : `, ${vector.dims} dimensions`}, searched with ${vector.path === "builtin" ? "built-in code" : vector.path}`
            : `not available${vector.loadError === undefined ? "" : `: ${vector.loadError}`}`}
        </Fact>
        {embedding.missing === 0 ? null : <Fact name="missing">{countOf(embedding.missing, "text")}</Fact>}
        {embedding.requests === 0 ? null : (
          <Fact name="cost">
            {countOf(embedding.requests, "request")}, {countOf(embedding.tokens, "token")}
            {embedding.costUsd === null ? "" : `, about ${formatUsd(embedding.costUsd)}`}
          </Fact>
        )}
        {embedding.problems.map((problem) => (
          <Fact name="problem" key={problem}>
            <span class="flag">
              <WithCode text={problem} />
            </span>
          </Fact>
        ))}
        {embedding.refused.length === 0 ? null : (
          <Fact name="refused">{countOf(embedding.refused.length, "text")}, found by keyword only</Fact>
        )}
      </Facts>
      <Facts title="Sizes">
        <Fact name="total">{formatBytes(known.sizeBytes)}</Fact>
        <Fact name="database">{formatBytes(sizes.databaseBytes)}</Fact>
        <Fact name="write-ahead log">{formatBytes(sizes.walBytes)}</Fact>
        <Fact name="vectors">{formatBytes(sizes.vectorBytes)}</Fact>
        <Fact name="cache">
          {cache.enabled
            ? `${formatCount(cache.entries)} of ${formatCount(cache.maxEntries)} entries, ${formatBytes(sizes.cacheBytes)}`
            : "off"}
        </Fact>
        <Fact name="sessions">
          {countOf(known.sessions.files, "transcript")}, {countOf(known.sessions.turns, "turn")}
        </Fact>
        <Fact name="longhand">{known.server.version}</Fact>
      </Facts>
    </div>
  );
}

function Facts({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="facts">
      <h2>{title}</h2>
      <dl>{children}</dl>
    </section>
  );
}

/** A path that breaks at folder boundaries if it has to wrap. */
function Path({ of }: { of: string }) {
  return (
    <code>
      {of.split(/(?<=[/\\])/).map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
