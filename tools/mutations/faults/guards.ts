import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUARDS, type Guard } from '../../../operator/api/anchor/guards';
import type { Fault } from '../fault';

const FOLDER = 'operator/api/anchor/rotation';

const sources = readdirSync(join(__dirname, '..', '..', '..', FOLDER)).map((name) => {
  const file = `${FOLDER}/${name}`;
  return { file, text: readFileSync(join(__dirname, '..', '..', '..', file), 'utf8') };
});

/** Removes each guard of a rotation in the step that asks for it. */
export const guards: readonly Fault[] = GUARDS.flatMap(withoutGuard);

function withoutGuard(guard: Guard): readonly Fault[] {
  const from = `guards.has('${guard}')`;
  const asking = sources.filter(({ text }) => text.includes(from));
  if (asking.length === 0) throw new Error(`No step in ${FOLDER} asks for the guard "${guard}".`);
  return asking.map(({ file }) => ({ file, from, to: 'false', why: `the guard "${guard}" is not asked for` }));
}
