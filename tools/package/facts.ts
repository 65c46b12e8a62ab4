interface Packed {
  /** Bytes of the archive. */
  readonly size: number;
  /** Bytes of the files in it. */
  readonly unpackedSize: number;
  readonly entryCount: number;
}

interface Declared {
  readonly dependencies: readonly string[];
  readonly peerDependencies: readonly string[];
}

/** The part of package-lock.json with the dependencies of each package. */
export interface Lock {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>;
}

/** Figures of the package for its documentation. */
export interface PackageFacts {
  readonly packed: Packed;
  readonly declared: Declared;
  /** Packages in `dependencies` and their own dependencies. Peers do not count, because the project installs them. */
  readonly installed: readonly string[];
}

/** The given packages and all their dependencies. All of them are at the top of the tree. */
export function installedFor(names: readonly string[], lock: Lock): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {}).forEach(visit);
  };
  names.forEach(visit);
  return [...found].sort();
}

const BEGIN = '<!-- npx tsx tools/package/docs.ts -->';
const END = '<!-- end -->';

/** Writes figures of the package between the marks of a page. @throws Error if a mark is missing */
export function withFigures(page: string, { packed, declared, installed }: PackageFacts, load: Load): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END, begin);
  if (begin === -1 || end === -1) throw new Error(`The page lacks ${BEGIN} or ${END}`);
  const lines = [
    '| figure | |',
    '| --- | --- |',
    `| archive | ${megabytes(packed.size)} |`,
    `| unpacked | ${megabytes(packed.unpackedSize)} in ${Math.round(packed.entryCount / 10) * 10} files |`,
    `| dependencies | ${declared.dependencies.length}: ${declared.dependencies.join(', ')} |`,
    `| installed packages, with their own dependencies | ${installed.length} |`,
    `| peers | ${declared.peerDependencies.join(', ')} |`,
    `| time of \`require('cdk8s-linkerd')\` | ${load.ratio} times that of \`require('cdk8s')\`, which it includes |`,
  ];
  return `${page.slice(0, begin)}${BEGIN}\n\n${lines.join('\n')}\n\n${page.slice(end)}`;
}

/** The time of loading the package, as a multiple of the time of loading cdk8s alone. */
export interface Load {
  readonly ratio: number;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Reads the figures from a page. */
export function readFigures(page: string): Readonly<Record<'archive' | 'unpacked' | 'ratio', number>> {
  const number = (pattern: RegExp) => Number(pattern.exec(page)?.[1]);
  return {
    archive: number(/^\| archive \| ([\d.]+) MB/m) * 1e6,
    unpacked: number(/^\| unpacked \| ([\d.]+) MB/m) * 1e6,
    ratio: number(/\| ([\d.]+) times that of/),
  };
}
