import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { printableText } from '../lib/kubernetes/findings/printable-text';
import { readReport } from '../lib/review/report/read/read-report';
import { renderReport } from '../lib/review/report/render';
import { outputInFolder } from './folder-output';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `report`. */
export interface ReportOptions {
  readonly from: string;
  readonly out: string;
}

/** Writes the report of an output. */
export function report({ from, out }: ReportOptions, { stdout, stderr }: Terminal): number {
  const folder = resolve(from);
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    throw new Misuse(`--from ${from} is not a folder; synthesize first`);
  }
  const found = readReport(outputInFolder(folder));
  if (found.groups.length === 0) {
    throw new Misuse(`--from ${from} contains no cluster: it is not the output of a Platform, or an empty one`);
  }
  const page = renderReport(found);
  if (out === '-') {
    stdout.write(page);
  } else {
    write(out, page);
    stderr.write(`${out}: ${clusterCount(found.groups.flatMap(({ clusters }) => clusters).length)}\n`);
  }
  for (const { clusters, report } of found.groups) {
    for (const { path, reason } of report.unreadable) {
      stderr.write(printableText(`warning: ${clusters[0]}/${path} cannot be read: ${reason}\n`));
    }
  }
  return EXIT.done;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Misuse(`--out ${path} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}

function clusterCount(count: number): string {
  return count === 1 ? '1 cluster' : `${count} clusters`;
}
