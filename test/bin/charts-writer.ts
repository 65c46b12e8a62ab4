/**
 * Adds an archive to a folder of charts. Given a number n, the process sends itself SIGKILL instead of its nth change
 * of the file system. Runs as a separate program: arguments are the folder, the archive, the number or 0, and --force.
 */
import fs from 'node:fs';
import { addChart } from '#bin/charts-command';

const [folder = '', file = '', fatal = '0', force] = process.argv.slice(2);

let changes = 0;

function countdown(): void {
  changes += 1;
  if (changes === Number(fatal)) process.kill(process.pid, 'SIGKILL');
}

const CHANGING = ['renameSync', 'rmSync', 'mkdirSync', 'writeFileSync', 'writeSync', 'openSync', 'linkSync'] as const;
for (const name of CHANGING) {
  const original = fs[name] as (...args: readonly unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: readonly unknown[]) => {
      countdown();
      return original(...args);
    },
  });
}

const { stdin, stdout, stderr } = process;
const terminal = { stdin, stdout, stderr, readFile: (path: string) => fs.readFileSync(path, 'utf8') };
const options = { folder, ...(force === undefined ? {} : { force: true as const }) };

void (async () => {
  process.exitCode = await addChart(file, options, terminal);
})();
