/**
 * Time to write one ordinary object: our emitter, the `yaml` package, and JSON.stringify as the floor.
 * Run: npx tsx bench/yaml.ts
 */
import { stringify } from 'yaml';
import { stringifyYaml } from '#base/yaml-writer';
import { ORDINARY_OBJECTS } from '#test/support/ordinary-objects';

const ROUNDS = 7;

const WRITERS: readonly { readonly name: string; readonly times: number; readonly write: (data: unknown) => string }[] =
  [
    { name: 'JSON.stringify', times: 5_000, write: (data) => JSON.stringify(data) },
    { name: 'stringifyYaml', times: 2_000, write: stringifyYaml },
    { name: 'yaml stringify', times: 200, write: (data) => stringify(data, { lineWidth: 0 }) },
  ];

/** Microseconds per object in the fastest of several rounds, which other load on the machine affects least. */
function measure(times: number, write: (data: unknown) => string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.hrtime.bigint();
    let length = 0;
    for (let time = 0; time < times; time += 1) {
      for (const data of ORDINARY_OBJECTS) length += write(data).length;
    }
    if (length === 0) throw new Error('nothing was written');
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e3 / times / ORDINARY_OBJECTS.length);
  }
  return best;
}

const bytes = ORDINARY_OBJECTS.reduce<number>((sum, data) => sum + Buffer.byteLength(stringifyYaml(data)), 0);
console.log(`${ORDINARY_OBJECTS.length} objects, ${Math.round(bytes / ORDINARY_OBJECTS.length)} bytes of YAML each`);

const results = WRITERS.map(({ name, times, write }) => ({ name, time: measure(times, write) }));
const floor = results[0]?.time ?? Number.NaN;
for (const { name, time } of results) {
  console.log(
    `${name.padEnd(15)} ${time.toFixed(1).padStart(6)} us per object ${(time / floor).toFixed(1).padStart(6)} x JSON`,
  );
}
