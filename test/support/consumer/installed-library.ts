import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runDirectory } from '../cluster/run-directory';
import { oneAtATime } from '../one-at-a-time';

const ROOT = join(__dirname, '..', '..', '..');

/** The packed library, installed in a fresh project. */
export interface InstalledLibrary {
  /** The folder with `node_modules`. Node.js resolves its packages for projects below it, too. */
  readonly folder: string;
  /** The path of the packed library. */
  readonly tarball: string;
  /** The output of `npm install`. */
  readonly output: string;
}

/** Packs the library and installs it with its peers. The first suite that needs it does so, once per run of Jest. */
export async function installedLibrary(): Promise<InstalledLibrary> {
  const folder = join(runDirectory(), 'consumer');
  const result = join(folder, 'installed.json');
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    writeFileSync(`${result}.partial`, JSON.stringify(attempt(folder)));
    renameSync(`${result}.partial`, result);
  }
  while (!existsSync(result)) await setTimeout(100);
  const outcome = JSON.parse(readFileSync(result, 'utf8')) as InstalledLibrary | { readonly error: string };
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome;
}

/** Installs the library. All waiting suites get its error. */
function attempt(folder: string): InstalledLibrary | { readonly error: string } {
  try {
    return install(folder);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function install(folder: string): InstalledLibrary {
  oneAtATime(join(ROOT, '.cache', 'pack'), () =>
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT, encoding: 'utf8' }),
  );
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const peers = ['cdk8s', 'constructs'].map((name) => [name, devDependencies[name]]);
  writeFileSync(
    join(folder, 'package.json'),
    // `npm sbom` requires a name and a version.
    JSON.stringify({
      name: 'consumer',
      version: '0.0.0',
      dependencies: { 'cdk8s-linkerd': `file:${tarball}`, ...Object.fromEntries(peers) },
    }),
  );
  const { status, stdout, stderr } = spawnSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const output = stdout + stderr;
  if (status !== 0) throw new Error(`npm install ended with ${status}: ${output}`);
  return { folder, tarball: join(folder, tarball), output };
}
