import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chartOf, fingerprintLines, fingerprintsOf, readFingerprints } from './fingerprint';
import { mixedLines } from './mixed';
import { readRecording } from './recording';

const USAGE = `tsx tools/conformance/record.ts [--mixed] [--like FILE] DIR > test/conformance/CHART-RELEASE.jsonl

Prints the fingerprints of recorded renders: DIR is CHART/RELEASE with base-values.json, base.yaml and variants.jsonl.
  --like FILE  fingerprints of another group of releases of the chart: prints only what differs from these
  --mixed      one fingerprint for each variant, for variants of many values at once, which change nearly all objects
`;

function main(): number {
  const { values, positionals } = parseArgs({
    options: { like: { type: 'string' }, mixed: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const recording = readRecording(folder);
  for (const line of values.mixed ? mixedLines(recording) : linesOf(folder, values.like)) {
    process.stdout.write(`${line}\n`);
  }
  return 0;
}

function linesOf(folder: string, like: string | undefined): readonly string[] {
  const fingerprints = fingerprintsOf(readRecording(folder), basename(resolve(folder)));
  if (like === undefined) return fingerprintLines(fingerprints);
  const group = basename(like, '.jsonl').slice(chartOf(like).length + 1);
  return fingerprintLines(fingerprints, { group, fingerprints: readFingerprints(like) });
}

process.exitCode = main();
