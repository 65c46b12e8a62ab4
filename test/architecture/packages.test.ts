import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGE_FOLDERS, pathOf } from '#tools/package-paths';
import { byRoom, checkCircles, checkOrder, readImports, specifiersIn } from './imports';

/** A package: the packages that it may import, its folders in import order, and words that it may not contain. */
interface Package {
  readonly imports: readonly string[];
  /** Whether it may use the types and schemas that `tools/import` generates. */
  readonly generated?: boolean;
  readonly rooms: readonly string[];
  readonly foreign: RegExp;
}

/** Words of higher layers. The name of this project, `cdk8s-linkerd`, is allowed. */
const ABOVE = /(?<!cdk8s-)linkerd|argo ?cd|cert-manager|trust-manager/i;

const PACKAGES: Readonly<Record<string, Package>> = {
  base: { imports: [], rooms: ['', 'secrets', 'findings'], foreign: ABOVE },
  kubernetes: {
    imports: ['base'],
    generated: true,
    rooms: ['findings', 'options', '', 'objects', 'schemas', 'api-rules'],
    foreign: /(?<!cdk8s-)linkerd/i,
  },
  helm: { imports: ['base'], rooms: ['go', 'yaml', 'template', 'functions', 'chart', ''], foreign: ABOVE },
  'controller-runtime': {
    imports: ['base'],
    rooms: [
      'timing',
      'telemetry',
      'objects',
      'tls',
      'client',
      'cache',
      'controller',
      'events',
      'election',
      'server',
      'webhook',
      'process',
    ],
    foreign: ABOVE,
  },
  anchor: { imports: ['base'], rooms: ['', 'rotation', 'check'], foreign: /argo ?cd/i },
  linkerd: {
    imports: ['base', 'kubernetes', 'helm', 'anchor'],
    generated: true,
    rooms: ['proxy-values', '', 'injection', 'charts', 'releases', 'renderers'],
    foreign: /ApplicationSet|\bPlatform\b/,
  },
};

const ROOT = join(__dirname, '..', '..', 'packages');

test('the table of packages lists each package', () => {
  expect(readdirSync(ROOT).sort()).toEqual(Object.keys(PACKAGES).sort());
});

test('imports of other packages use their names, and relative imports climb two folders at most', () => {
  const outside = PACKAGE_FOLDERS.flatMap((folder) =>
    [...readImports(folder).keys()].flatMap((file) =>
      specifiersIn(file)
        .filter((specifier) => specifier.startsWith('.') && !isAtRoot(file, specifier))
        .filter((specifier) => specifier.startsWith('../../../') || isNamed(pathOf(file, specifier), folder))
        .map((specifier) => `${file}: ${specifier}`),
    ),
  );
  expect(outside).toEqual([]);
});

/** Returns whether an import is of a file at the root, such as `package.json`. */
function isAtRoot(file: string, specifier: string): boolean {
  return dirname(join(file, '..', specifier)) === '.';
}

/** Returns whether a path is in another package, which must be imported by name. */
function isNamed(path: string | undefined, folder: string): boolean {
  return path !== undefined && PACKAGE_FOLDERS.some((one) => one !== folder && `${path}/`.startsWith(`${one}/`));
}

describe.each(Object.entries(PACKAGES))('packages/%s', (name, { imports, generated = false, rooms, foreign }) => {
  const known = readImports(`packages/${name}`);
  const files = [...known.keys()];

  test('has a README of fewer than 80 lines', () => {
    expect(existsSync(join(ROOT, name, 'README.md'))).toBe(true);
    expect(readFileSync(join(ROOT, name, 'README.md'), 'utf8').split('\n').length).toBeLessThan(80);
  });

  test('imports only packages of lower layers', () => {
    const allowed = [...[name, ...imports].map((one) => `packages/${one}/`), ...(generated ? ['imports/'] : [])];
    const above = files.flatMap((file) =>
      specifiersIn(file)
        .flatMap((specifier) => pathOf(file, specifier) ?? [])
        .filter((path) => !allowed.some((prefix) => path.startsWith(prefix)))
        .map((path) => `${file}: ${path}`),
    );
    expect(above).toEqual([]);
  });

  test('has no import cycles, and imports between its folders point in one direction', () => {
    const order = rooms.map((room) => join(`packages/${name}`, room).replace(/\/$/, ''));
    expect(checkOrder(byRoom(known, order), order)).toEqual([]);
    expect(checkCircles(known)).toEqual([]);
  });

  test('does not mention products of higher layers', () => {
    expect(files.filter((file) => foreign.test(readFileSync(join(ROOT, '..', file), 'utf8')))).toEqual([]);
  });
});
