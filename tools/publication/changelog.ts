/** A section of CHANGELOG.md: the section of a version, or `Unreleased`. */
export interface Section {
  readonly version: string;
  /** The day of the release; undefined if the heading has none. */
  readonly date: string | undefined;
  /** The text below the heading, without empty lines around it. */
  readonly text: string;
}

const HEADING = /^## \[?([^\s\]]+)\]?(?: - (\d{4}-\d{2}-\d{2}))?[^\S\n]*$/gm;

/** Reads the sections of a changelog in the form of Keep a Changelog, in its order. */
export function readChangelog(text: string): readonly Section[] {
  const headings = [...text.matchAll(HEADING)];
  return headings.map((heading, index) => ({
    version: heading[1] ?? '',
    date: heading[2],
    text: text.slice(heading.index + heading[0].length, headings[index + 1]?.index).trim(),
  }));
}

/** The text of a section for a release page. The lines of list items are joined, because GitHub keeps line breaks. */
export function releaseNotes({ text }: Section): string {
  const joined = text
    .split(/(^[^\S\n]*```[\s\S]*?```$)/m)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/(?<=\S)\n {2,}(?=[^\s#*|>-])/g, ' ') : part));
  return `${joined.join('')}\n`;
}
