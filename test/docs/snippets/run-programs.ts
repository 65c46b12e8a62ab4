/** Runs programs one after the other in this process, each in the folder of its name, and writes what came of them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', ...names] = process.argv.slice(2);

/** The folder that programs write into where they name no other: cdk8s passes it so. */
const OUTPUT = 'output';

async function runProgram(name: string) {
  const home = join(folder, name);
  const before = new Set(filesIn(home));
  process.chdir(home);
  process.env.CDK8S_OUTDIR = join(home, OUTPUT);
  process.argv = [process.argv[0] ?? '', join(folder, `${name}.ts`)];
  process.exitCode = undefined;
  const { write } = process.stderr;
  let stderr = '';
  process.stderr.write = ((text: string) => (stderr += text)) as never;
  try {
    await import(join(folder, `${name}.ts`));
  } catch (error) {
    stderr += String(error);
    process.exitCode = 1;
  }
  process.stderr.write = write;
  const written = filesIn(home).filter((path) => !before.has(path));
  const files = Object.fromEntries(written.map((path) => [path, readFileSync(join(home, path), 'utf8')]));
  return { name, exitCode: Number(process.exitCode ?? 0), stderr, files };
}

function filesIn(home: string): readonly string[] {
  if (!existsSync(home)) return [];
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1)).sort();
}

async function main(): Promise<void> {
  const results = [];
  for (const name of names) results.push(await runProgram(name));
  process.exitCode = 0;
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
}

void main();
