/**
 * Runs programs one after another in this process, and again in the opposite order, each in a folder of its name.
 * Writes both results.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', ...names] = process.argv.slice(2);

/** The default output folder of programs, set by cdk8s. */
const OUTPUT = 'output';

async function runProgram(name: string, time: 'first' | 'second') {
  const home = join(folder, name);
  const before = new Set(filesIn(home));
  mkdirSync(home, { recursive: true });
  process.chdir(home);
  process.env.CDK8S_OUTDIR = join(home, OUTPUT);
  process.argv = [process.argv[0] ?? '', join(folder, `${name}.ts`)];
  process.exitCode = undefined;
  const { write } = process.stderr;
  let stderr = '';
  process.stderr.write = ((text: string) => (stderr += text)) as never;
  try {
    // Another query makes Node.js run the module again.
    await import(`${join(folder, name)}.ts?${time}`);
  } catch (error) {
    stderr += String(error);
    process.exitCode = 1;
  }
  process.stderr.write = write;
  const written = filesIn(home).filter((path) => !before.has(path));
  const files = Object.fromEntries(written.map((path) => [path, readFileSync(join(home, path), 'utf8')]));
  for (const path of written) rmSync(join(home, path));
  return { name, exitCode: Number(process.exitCode ?? 0), stderr, files };
}

function filesIn(home: string): readonly string[] {
  if (!existsSync(home)) return [];
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1)).sort();
}

async function main(): Promise<void> {
  const first = [];
  for (const name of names) first.push(await runProgram(name, 'first'));
  const second = [];
  for (const name of names.toReversed()) second.unshift(await runProgram(name, 'second'));
  process.exitCode = 0;
  writeFileSync(join(folder, 'results.json'), JSON.stringify({ first, second }));
}

void main();
