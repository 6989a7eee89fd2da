const heading = "## Unreleased";

/** After `current`: `patch`, `minor`, `major`, or a version that is higher. */
export function nextVersion(current: string, wanted: string): string | null {
  const [major, minor, patch] = numbersOf(current);
  if (wanted === "major") return `${major + 1}.0.0`;
  if (wanted === "minor") return `${major}.${minor + 1}.0`;
  if (wanted === "patch") return `${major}.${minor}.${patch + 1}`;
  if (!/^\d+\.\d+\.\d+$/.test(wanted)) return null;
  const [first, second, third] = numbersOf(wanted);
  return (first - major || second - minor || third - patch) > 0 ? wanted : null;
}

function numbersOf(version: string): [number, number, number] {
  return version.split(".").map(Number) as [number, number, number];
}

/** The changelog with the unreleased changes under the heading of a version, or null if there are none. */
export function releaseChanges(changelog: string, version: string, day: string): string | null {
  const changes = sectionOf(changelog, heading);
  if (changes === null || changes === "") return null;
  return changelog.replace(heading, `${heading}\n\n## ${version} (${day})`);
}

/** The changes of one version, without its heading. */
export function changesOf(changelog: string, version: string): string | null {
  return sectionOf(changelog, `## ${version}`);
}

function sectionOf(changelog: string, start: string): string | null {
  const lines = changelog.split("\n");
  const first = lines.findIndex((line) => line === start || line.startsWith(`${start} `));
  if (first < 0) return null;
  const next = lines.findIndex((line, index) => index > first && line.startsWith("## "));
  return lines
    .slice(first + 1, next < 0 ? undefined : next)
    .join("\n")
    .trim();
}
