import type { Problem } from '../../kubernetes/findings/problem';
import { isObject } from '../../kubernetes/select-fields';
import { CLI_FINDINGS } from '../findings';

/** Packages that a project needs, with the versions that this library is tested with. */
export const PACKAGES = {
  dependencies: { cdk8s: '^2.70.106', constructs: '^10.8.1' },
  devDependencies: { '@types/node': '^24.19.2', tsx: '^4.23.15', typescript: '^7.0.2' },
} as const;

type Texts = Readonly<Record<string, string>>;

/** A package.json, as far as it matters here. */
export interface Manifest {
  readonly scripts?: Texts;
  readonly dependencies?: Texts;
  readonly devDependencies?: Texts;
}

/** Reads a package.json, or says why it is none. */
export function readManifest(text: string): { readonly manifest?: Manifest; readonly problem?: Problem } {
  const unreadable = (reason: string) => ({ problem: CLI_FINDINGS.packageJsonUnreadable({ reason }) });
  try {
    const data: unknown = JSON.parse(withoutMark(text));
    if (!isObject(data)) return unreadable('is not a map');
    for (const key of ['scripts', 'dependencies', 'devDependencies']) {
      const member = data[key] ?? {};
      if (!isObject(member) || Object.values(member).some((value) => typeof value !== 'string'))
        return unreadable(`has ${key} that are not a map of strings`);
    }
    return { manifest: data };
  } catch (error) {
    return unreadable(`is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Returns a package.json with more in it, written as it was: what it has already stays. */
export function extendManifest(text: string, manifest: Manifest, more: Required<Manifest>): string {
  const has = (name: string) =>
    [manifest.dependencies, manifest.devDependencies].some((known) => name in (known ?? {}));
  const missing = (packages: Texts) => Object.fromEntries(Object.entries(packages).filter(([name]) => !has(name)));
  const extended = {
    ...manifest,
    scripts: { ...manifest.scripts, ...more.scripts, ...manifest.scripts },
    dependencies: sorted({ ...missing(more.dependencies), ...manifest.dependencies }),
    devDependencies: sorted({ ...missing(more.devDependencies), ...manifest.devDependencies }),
  };
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  return `${JSON.stringify(extended, null, indent)}\n`;
}

function sorted(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Editors of Windows begin files with a mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
