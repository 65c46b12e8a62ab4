/** A program that installs packages and runs scripts. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Names of the package manager's lock files. */
  readonly locks: readonly string[];
  /** The command that installs exactly the locked packages, for a pipeline. */
  readonly ci: string;
}

/** The package managers; npm is the default. */
export const PACKAGE_MANAGERS: readonly [PackageManager, ...PackageManager[]] = [
  { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'], ci: 'npm ci' },
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], ci: 'pnpm install --frozen-lockfile' },
  { name: 'yarn', locks: ['yarn.lock'], ci: 'yarn install --immutable' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], ci: 'bun install --frozen-lockfile' },
];

/** Returns the package manager of a folder with these files. */
export function managerOf(files: ReadonlySet<string>): PackageManager | undefined {
  return PACKAGE_MANAGERS.find(({ locks }) => locks.some((lock) => files.has(lock)));
}
