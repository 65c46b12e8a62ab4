import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { differences, readFolder, writeDifferences } from './imports-folder';
import { changedSources, LOCK_FILE, type Lock, lockOf, movedPins } from './lock';
import { type Pin, parsePins } from './pins';
import { type Files, schemaFiles } from './schema-files';
import { parseSource } from './source';
import { fromFolders, fromNetwork, type SourceReader } from './source-reader';
import { typeFiles } from './type-files';

const USAGE = `npx tsx tools/import/main.ts [--from DIR]... [--network] [--offline] [--check]

Generates imports/ from the files that cdk8s.yaml pins under imports.
  --from DIR  read each file by its name from DIR, not from the network; repeatable: the first DIR with the file counts
  --network   read from the network the files that no DIR has
  --offline   generate the types from the committed schemas, without their sources
  --check     write nothing, exit 1 if imports/ is not up to date; without --from, check only its types, offline
`;

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'imports');

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      from: { type: 'string', multiple: true },
      check: { type: 'boolean', default: false },
      offline: { type: 'boolean', default: false },
      network: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const pins = parsePins(readFileSync(join(ROOT, 'cdk8s.yaml'), 'utf8'));
  const before = readFolder(FOLDER);
  const lock = JSON.parse(before.get(LOCK_FILE) ?? '{}') as Lock;
  const isOffline = options.offline || (options.check && options.from === undefined);
  const schemas = isOffline ? committed(before, lock, pins) : await fetched(lock, pins, readerOf(options));
  const after = new Map([...schemas, ...(await typeFiles(schemas))]);
  const stale = differences(before, after);
  if (options.check) {
    if (stale.length > 0) process.stderr.write(`imports/ is stale, run npm run import:\n  ${stale.join('\n  ')}\n`);
    return stale.length > 0 ? 1 : 0;
  }
  writeDifferences(FOLDER, stale, after);
  process.stdout.write(stale.length > 0 ? `${stale.join('\n')}\n` : 'imports/ is up to date\n');
  return 0;
}

/** The committed schemas. Throws if they were not generated from the sources that are pinned now. */
function committed(before: Files, lock: Lock, pins: readonly Pin[]): Files {
  const moved = movedPins(lock, pins);
  if (moved.length > 0) throw new Error(`cdk8s.yaml and the imports differ in the sources ${moved.join(', ')}`);
  return new Map([...before].filter(([file]) => file.endsWith('.json')));
}

function readerOf({ from, network }: { readonly from?: readonly string[]; readonly network: boolean }): SourceReader {
  if (from === undefined) return fromNetwork;
  return fromFolders(from, network ? fromNetwork : undefined);
}

async function fetched(lock: Lock, pins: readonly Pin[], read: SourceReader): Promise<Files> {
  const sources = await Promise.all(pins.map(async (pin) => parseSource(pin, await read(pin))));
  const changed = changedSources(lock, lockOf(sources));
  if (changed.length > 0) {
    throw new Error(
      `the same address now has other content than at the last import: ${changed.join(', ')}. ` +
        `If the new content is right, remove the lines of these sources from imports/${LOCK_FILE}`,
    );
  }
  return schemaFiles(sources);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
