import { printableLine } from '#base/findings/printable-text';
import { readReport } from '#lib/review/report/read/read-report';
import { renderReport } from '#lib/review/report/render';
import { folderFrom, outputInFolder } from './folder-output';
import { writeOutFile } from './out-file';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `report`. */
export interface ReportOptions {
  readonly from: string;
  readonly out: string;
}

/** Writes the report of an output. */
export function report({ from, out }: ReportOptions, { stdout, stderr }: Terminal): number {
  const found = readReport(outputInFolder(folderFrom(from)));
  if (found.groups.length === 0) {
    throw new Misuse(`--from ${from} contains no cluster: it is empty, or not the output of a Platform`);
  }
  const page = renderReport(found);
  if (out === '-') {
    stdout.write(page);
  } else {
    writeOutFile(out, page);
    stderr.write(`${out}: ${clusterCount(found.groups.flatMap(({ clusters }) => clusters).length)}\n`);
  }
  for (const { clusters, report } of found.groups) {
    for (const { path, reason } of report.unreadable) {
      stderr.write(`${printableLine(`warning: ${clusters[0]}/${path} cannot be read: ${reason}`)}\n`);
    }
  }
  return EXIT.done;
}

function clusterCount(count: number): string {
  return count === 1 ? '1 cluster' : `${count} clusters`;
}
