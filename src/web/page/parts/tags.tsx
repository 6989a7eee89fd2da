import { showHidden } from "../../../text/visible.ts";
import { emptySearch, writeSearch } from "../search/search-address.ts";

/** Tags; each links to a search among the notes that have it. */
export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={`/${writeSearch({ ...emptySearch, query: tag.replaceAll(/[/_-]+/g, " "), tag })}`}>
            #{showHidden(tag)}
          </a>
        </li>
      ))}
    </ul>
  );
}
