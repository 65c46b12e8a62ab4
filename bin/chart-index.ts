import { StructFields } from '#helm/chart/struct-fields';
import { readYaml } from '#helm/yaml/read-yaml';
import { DownloadError } from './download-error';

interface IndexedChart {
  readonly name: string;
  readonly version: string;
}

const MAX_VERSIONS = 5;

/** Maximum number of characters that are parsed: a chart of a thousand versions has about three megabytes. */
const MAX_PARSED = 4 * 2 ** 20;

/** Maximum number of brackets that are parsed. In JSON, each version of a chart has several. */
const MAX_BRACKETS = 50_000;

/**
 * Returns the entry of a version of a chart in the index of a repository.
 *
 * @throws DownloadError if the version is missing
 */
export function entryIn(index: string, { name, version }: IndexedChart): StructFields {
  const charts = StructFields.of(readYaml(partAbout(name, index)))
    .struct('entries')
    .structs(name);
  const entry = charts.find((fields) => fields?.text('version').replace(/^v/, '') === version.replace(/^v/, ''));
  if (entry !== undefined) return entry;
  const known = [...new Set(charts.flatMap((fields) => fields?.text('version') ?? []))];
  const shown = `${known.slice(0, MAX_VERSIONS).join(', ')}${known.length > MAX_VERSIONS ? ', …' : ''}`;
  const have = known.length === 0 ? `no chart ${name}` : `${name} ${shown}`;
  throw new DownloadError(`the repository has no ${name} ${version}: it has ${have}`);
}

/**
 * Returns the part of an index about one chart. In Helm's format, it begins with the name of the chart, and contains
 * the lines below it with more indentation, or with list items. In another format, it is the whole index.
 */
function partAbout(name: string, index: string): string {
  const part = blockAbout(name, index) ?? index;
  if (part.length > MAX_PARSED) {
    throw new DownloadError(`the entry of ${name} in the index has more than ${MAX_PARSED} characters`);
  }
  if ((part.match(/[[{]/g)?.length ?? 0) > MAX_BRACKETS) {
    throw new DownloadError(
      `the entry of ${name} in the index has more than ${MAX_BRACKETS} lists and maps in brackets`,
    );
  }
  return part;
}

function blockAbout(name: string, index: string): string | undefined {
  const entries = matchFrom(/^entries:[ \t]*\r?\n/gm, index, 0);
  if (entries === undefined) return undefined;
  const begin = entries.index + entries[0].length;
  const indent = matchFrom(/^( +)[^\s#-]/gm, index, begin)?.[1] ?? '';
  const end = matchFrom(/^[^\s#]/gm, index, begin)?.index ?? index.length;
  if (indent === '') return undefined;
  const quoted = [name, `"${name}"`, `'${name}'`].map((key) => `\n${indent}${key}:`);
  // The search starts at the line break before the first chart.
  const starts = quoted.map((key) => index.indexOf(key, begin - 1)).filter((at) => at >= 0 && at < end);
  if (starts.length === 0) return 'entries: {}';
  const start = Math.min(...starts) + 1;
  const next = matchFrom(new RegExp(`^ {0,${indent.length}}[^\\s#-]`, 'gm'), index, start + 1)?.index ?? index.length;
  return `entries:\n${index.slice(start, next)}`;
}

function matchFrom(pattern: RegExp, text: string, start: number): RegExpExecArray | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text) ?? undefined;
}
