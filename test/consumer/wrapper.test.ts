import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedLibrary } from '../support/consumer/installed-library';
import { consumerPrograms } from '../support/consumer/programs';
import { type Project, projectWithLibrary } from '../support/consumer/project';

const OWN_COMPILER = join(__dirname, '..', '..', 'node_modules', '.bin', 'tsc');
const NEXT = 'edge-26.9.1';

/** A package of a company, whose declarations a compiler infers. */
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

/** Who uses both. */
const PROGRAM = `import { App, Chart } from 'cdk8s';
import { acme, AcmeMesh, cni, crds, pinned, versionOf, type AcmeProps } from 'acme';
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
const next = new LinkerdMesh(chart('f'), 'mesh', { version: '${NEXT}' as LinkerdVersion });
console.log([versionOf(mesh), versionOf(next), versionOf(pinned(chart('g')))].join());
`;

const LIBRARY = 'node_modules/cdk8s-linkerd';

const OPTIONS = {
  module: 'nodenext',
  strict: true,
  target: 'es2022',
  // Without those of browsers, which take as long to check as all others.
  lib: ['es2022'],
  types: [],
  skipLibCheck: false,
};

/** A project with the wrapper, as one compiler made it of the library as it is, and the library with another default. */
async function wrapped(compiler: string): Promise<{ readonly today: Project; readonly tomorrow: Project }> {
  const { folder } = await installedLibrary();
  const made = await projectWithLibrary();
  made.write('package.json', { name: 'acme', version: '1.0.0', main: 'index.js', types: 'index.d.ts' });
  made.write('index.ts', WRAPPER);
  made.write('tsconfig.json', { compilerOptions: { ...OPTIONS, declaration: true }, files: ['index.ts'] });
  run(made, compiler);
  const project = async () => {
    const other = await projectWithLibrary();
    for (const file of ['index.js', 'index.d.ts', 'package.json']) {
      cpSync(join(made.folder, file), join(other.folder, 'node_modules/acme', file));
    }
    other.write('main.ts', `declare const console: { log(text: string): void };\n${PROGRAM}`);
    other.write('tsconfig.json', { compilerOptions: OPTIONS, files: ['main.ts'] });
    return other;
  };
  const [today, tomorrow] = [await project(), await project()];
  cpSync(join(folder, LIBRARY), join(tomorrow.folder, LIBRARY), { recursive: true });
  for (const file of ['known-releases.js', 'known-releases.d.ts'])
    release(join(tomorrow.folder, LIBRARY, 'build/lib/linkerd/releases', file));
  return { today, tomorrow };
}

/** Adds a release before all others, which makes it the default: in all else it is as the one after it. */
function release(file: string): void {
  const text = readFileSync(file, 'utf8');
  const first = /(?:readonly )?\[\s*['"]edge-[\d.]+['"],[^\]]*\],/.exec(text)?.[0] ?? '';
  writeFileSync(file, text.replace(first, `${first.replace(/edge-[\d.]+/, NEXT)} ${first}`));
}

function run(project: Project, compiler: string): void {
  if (compiler === '7') project.run(OWN_COMPILER, '-p', '.');
  else project.run('node', join(consumerPrograms(), `typescript-${compiler}`, 'bin/tsc'), '-p', '.');
}

test.each(['5.4', '7'])(
  'what a package of others declares fits the next default release: TypeScript %s',
  async (compiler) => {
    const { today, tomorrow } = await wrapped(compiler);
    const declared = readFileSync(join(today.folder, 'node_modules/acme/index.d.ts'), 'utf8');
    expect(declared.match(/edge-[\d.]+/g)).toEqual(['edge-26.8.2']);
    run(tomorrow, compiler);
    const [version] = tomorrow.run('node', 'main.js').trim().split(',');
    expect(version).toBe(NEXT);
    today.write('main.ts', readFileSync(join(today.folder, 'main.ts'), 'utf8').replaceAll(NEXT, 'edge-26.8.1'));
    run(today, compiler);
    expect(today.run('node', 'main.js').trim()).toBe('edge-26.8.3,edge-26.8.1,edge-26.8.2');
  },
);
