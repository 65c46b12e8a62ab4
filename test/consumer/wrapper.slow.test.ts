import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedLibrary } from '../support/consumer/installed-library';
import { type Project, projectWithLibrary, type TypeScript } from '../support/consumer/project';

const NEXT = 'edge-26.9.1';

/** A package of a company with declarations that the compiler infers. */
const WRAPPER = `import type { Construct } from 'constructs';
import {
  DEFAULT_LINKERD_VERSION, LinkerdCni, LinkerdConfig, LinkerdControlPlane, LinkerdCrds, LinkerdMesh, Multicluster,
  ReconcilerOperator, Viz, type LinkerdMeshProps,
} from 'cdk8s-linkerd';

export interface AcmeProps extends Omit<LinkerdMeshProps, 'monitoring'> {
  readonly team: string;
}

export function acme(scope: Construct, { team, ...props }: AcmeProps) {
  const mesh = new LinkerdMesh(scope, 'acme', { ...props, monitoring: { namespace: team }, operator: {} });
  const { controlPlane, viz, operator } = mesh;
  return {
    mesh, controlPlane, viz, operator, team, release: controlPlane.release, version: DEFAULT_LINKERD_VERSION,
    config: new LinkerdConfig(scope, 'config', { operator }),
    multicluster: new Multicluster(scope, 'multicluster', { controlPlane }),
  };
}

export class AcmeMesh extends LinkerdMesh {}

export const pinned = (scope: Construct) => new LinkerdMesh(scope, 'pinned', { version: 'edge-26.8.2' });
export const parts = { LinkerdCni, LinkerdControlPlane, LinkerdCrds, ReconcilerOperator, Viz };
export const cni = (scope: Construct) => new LinkerdCni(scope, 'cni');
export const crds = (scope: Construct) => new LinkerdCrds(scope, 'crds');
export const versionOf = ({ controlPlane }: LinkerdMesh) => controlPlane.release.version;
`;

/** A program that uses the wrapper and the library, with a release that is not the default. */
const program = (acme: string) => `declare const console: { log(text: string): void };
import { App, Chart } from 'cdk8s';
import { acme, AcmeMesh, cni, crds, pinned, versionOf, type AcmeProps } from '${acme}';
import {
  type ILinkerdCni, type ILinkerdCrds, type LinkerdControlPlane, LinkerdMesh, type LinkerdMeshProps, type LinkerdVersion,
  type Release, Viz,
} from 'cdk8s-linkerd';

const chart = (name: string) => new Chart(new App({ outdir: 'out' }), name);
const values: AcmeProps = { team: 'shop', values: { controllerReplicas: 3 }, viz: false };
const made = acme(chart('a'), values);
const mesh: LinkerdMesh = made.mesh;
const controlPlane: LinkerdControlPlane = made.controlPlane;
const viz: Viz | undefined = made.viz;
const release: Release = made.release;
const version: LinkerdVersion = made.version;
const own: LinkerdMeshProps = { version };
new Viz(chart('b'), 'viz', { controlPlane });
export const plugin: ILinkerdCni = cni(chart('c'));
export const definitions: ILinkerdCrds = crds(chart('d'));
export const others = [viz, release.injectorLike, new AcmeMesh(chart('e'), 'mesh', own)];
const other = new LinkerdMesh(chart('f'), 'mesh', { version: 'edge-26.8.1' as LinkerdVersion });
console.log([versionOf(mesh), versionOf(other), versionOf(pinned(chart('g')))].join());
`;

const LIBRARY = 'node_modules/cdk8s-linkerd';

/** The compiler of each build of the wrapper. */
const WRAPPERS = { 'acme-by-oldest': '5.4', 'acme-by-newest': '7' } as const;

const OPTIONS = {
  module: 'nodenext',
  strict: true,
  target: 'es2022',
  // The declarations of browsers would double the time of the check.
  lib: ['es2022'],
  types: [],
};

/** Compiles the wrapper with the current library. types.slow.test.ts checks the declarations of the library. */
async function wrapper(name: string, compiler: TypeScript): Promise<Project> {
  const made = await projectWithLibrary();
  made.write('package.json', { name, version: '1.0.0', main: 'index.js', types: 'index.d.ts' });
  made.write('index.ts', WRAPPER);
  const compilerOptions = { ...OPTIONS, declaration: true, skipLibCheck: true };
  made.write('tsconfig.json', { compilerOptions, files: ['index.ts'] });
  made.compile(compiler, '-p', '.');
  return made;
}

/** Creates a project that uses each wrapper. */
async function user(wrappers: ReadonlyMap<string, Project>): Promise<Project> {
  const project = await projectWithLibrary();
  for (const [name, { folder }] of wrappers) {
    for (const file of ['index.js', 'index.d.ts', 'package.json']) {
      cpSync(join(folder, file), join(project.folder, 'node_modules', name, file));
    }
    project.write(`${name}.ts`, program(name));
  }
  project.write('main.ts', [...wrappers.keys()].map((name) => `import './${name}';\n`).join(''));
  project.write('tsconfig.json', { compilerOptions: { ...OPTIONS, skipLibCheck: false }, include: ['*.ts'] });
  return project;
}

/** Adds a release as the first one, which makes it the default. It is a copy of the former default. */
function addRelease(file: string): void {
  const text = readFileSync(file, 'utf8');
  const first = /(?:readonly )?\[\s*['"]edge-[\d.]+['"],[^\]]*\],/.exec(text)?.[0] ?? '';
  writeFileSync(file, text.replace(first, `${first.replace(/edge-[\d.]+/, NEXT)} ${first}`));
}

test('declarations of a wrapper package are compatible with the next default release, from each compiler', async () => {
  const wrappers = new Map<string, Project>();
  for (const [name, compiler] of Object.entries(WRAPPERS)) {
    const made = await wrapper(name, compiler);
    wrappers.set(name, made);
    const declared = readFileSync(join(made.folder, 'index.d.ts'), 'utf8');
    expect(declared.match(/edge-[\d.]+/g)).toEqual(['edge-26.8.2']);
  }
  const tomorrow = await user(wrappers);
  cpSync(join((await installedLibrary()).folder, LIBRARY), join(tomorrow.folder, LIBRARY), { recursive: true });
  for (const file of ['known-releases.js', 'known-releases.d.ts']) {
    addRelease(join(tomorrow.folder, LIBRARY, 'build/packages/linkerd/releases', file));
  }
  for (const compiler of Object.values(WRAPPERS)) {
    tomorrow.compile(compiler, '-p', '.');
  }
  const versions = `${NEXT},edge-26.8.1,edge-26.8.2`;
  expect(tomorrow.run('node', 'main.js')).toBe(`${versions}\n${versions}\n`);
});
