import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedLibrary } from '../support/consumer/installed-library';
import { type Project, projectWithLibrary, type TypeScript } from '../support/consumer/project';

const RESOLUTIONS = { node10: 'commonjs', node16: 'node16', nodenext: 'nodenext', bundler: 'esnext' } as const;

type Resolution = keyof typeof RESOLUTIONS;

interface Compilation {
  readonly typescript: TypeScript;
  readonly resolution: Resolution;
  readonly skipLibCheck: boolean;
}

/**
 * All supported compilers. 5.4, 6.0 and 7 also check all declarations; cdk8s-init.slow.test.ts does so with 5.9. Each
 * module resolution is used with the oldest and the newest compiler that has it.
 */
const COMPILATIONS: readonly Compilation[] = [
  ...(['5.4', '6.0', '7'] as const).map(
    (typescript) => ({ typescript, resolution: 'nodenext', skipLibCheck: false }) as const,
  ),
  ...(['5.5', '5.6', '5.7', '5.8', '5.9'] as const).map(
    (typescript) => ({ typescript, resolution: 'nodenext', skipLibCheck: true }) as const,
  ),
  ...(['node10', 'node16', 'bundler'] as const).map(
    (resolution) => ({ typescript: '5.4', resolution, skipLibCheck: true }) as const,
  ),
  { typescript: '6.0', resolution: 'node10', skipLibCheck: true },
  { typescript: '7', resolution: 'node16', skipLibCheck: false },
  { typescript: '7', resolution: 'bundler', skipLibCheck: false },
];

/** The compilers that also compile a project with `exactOptionalPropertyTypes`. */
const EXACT: readonly TypeScript[] = ['5.4', '7'];

const PROGRAM = `import { Duration } from 'cdk8s';
import { LinkerdMesh, Meshing, Platform, Prometheus } from 'cdk8s-linkerd';
import { veleroValues } from 'cdk8s-linkerd/recipes';
import { Match, synthesize } from 'cdk8s-linkerd/testing';

export const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
// Exported, so that the project's own declarations contain types of the library.
export const pki = { trustAnchor: { duration: Duration.days(3650), renewBefore: Duration.days(365) } } as const;
export const home = platform.addCluster('home', {}, (cluster) => {
  const prometheus = Prometheus.fromUrl({ url: 'http://prometheus:9090' });
  const mesh = new LinkerdMesh(cluster, 'mesh', { pki, operator: {}, values: { controllerReplicas: 3 }, viz: { prometheus } });
  mesh.controlPlane.patch('Deployment', 'linkerd-identity');
  // @ts-expect-error: it is called controllerReplicas
  new LinkerdMesh(cluster, 'wrong', { values: { controlerReplicas: 3 } });
  const meshing = new Meshing(cluster, 'meshing', { controlPlane: mesh.controlPlane });
  veleroValues(meshing, { skipOutboundPorts: [443] });
  // @ts-expect-error: it is called skipOutboundPorts
  veleroValues(meshing, { skipPorts: [443] });
});
export const output = synthesize(platform).cluster('home');
output.hasResource('Deployment', { spec: { replicas: Match.anyValue() } });
// @ts-expect-error: an App and a Chart have no clusters
synthesize(null as unknown as import('cdk8s').App).cluster('home');
`;

describe('the types of the packed library', () => {
  let project: Project;
  let library: string;
  let exact: string;

  beforeAll(async () => {
    project = await projectWithLibrary();
    library = join((await installedLibrary()).folder, 'node_modules/cdk8s-linkerd/build');
    exact = exactProgram(library);
  });

  /** Writes a program and its configuration into a folder of the project. */
  function write(folder: string, text: string, options: object): void {
    project.write(`${folder}/main.ts`, text);
    project.write(`${folder}/tsconfig.json`, { compilerOptions: { noEmit: true, ...options } });
  }

  // One process for each compiler reads the declarations of cdk8s once for all resolutions.
  it.each([...Map.groupBy(COMPILATIONS, ({ typescript }) => typescript)])(
    'compile in a strict project with each module resolution: TypeScript %s',
    (typescript, compilations) => {
      const folders = compilations.map(({ resolution, skipLibCheck }) => {
        const folder = `${typescript}-${resolution}${skipLibCheck ? '-skipLibCheck' : ''}`;
        write(folder, PROGRAM, {
          module: RESOLUTIONS[resolution],
          moduleResolution: resolution,
          // TypeScript 6 deprecates node10, and TypeScript 7 removed it.
          ...(resolution === 'node10' && typescript === '6.0' ? { ignoreDeprecations: '6.0' } : {}),
          skipLibCheck,
          strict: true,
          declaration: true,
          target: 'es2022',
          // The declarations of browsers would double the time of the check.
          lib: ['es2022'],
          types: [],
        });
        return folder;
      });
      // With `exactOptionalPropertyTypes`, optional props of the library must accept undefined.
      if (EXACT.includes(typescript)) {
        const folder = `exact-${typescript}`;
        const options = { exactOptionalPropertyTypes: true, strict: true, skipLibCheck: true, lib: ['es2022'] };
        write(folder, exact, { ...options, module: 'nodenext', target: 'es2022', types: [] });
        folders.push(folder);
      }
      project.compile(typescript, '--build', ...folders);
    },
  );

  it('do not include declarations of internal modules', () => {
    const files = readdirSync(library, { recursive: true, encoding: 'utf8' });
    const ofHelm = (extension: string) =>
      files.filter((file) => file.startsWith('packages/helm/') && file.endsWith(extension));
    expect(ofHelm('.js')).not.toEqual([]);
    expect(ofHelm('.d.ts')).toEqual([]);
  });
});

/** Returns a program that compiles only if all optional props of the library accept undefined. */
function exactProgram(library: string): string {
  const index = readFileSync(join(library, 'lib/index.d.ts'), 'utf8');
  const names = [...new Set(index.match(/\w+Props\b/g))];
  const perRelease = readdirSync(library, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => [
      ...readFileSync(join(library, file), 'utf8').matchAll(/\b(\w+Props)<V extends LinkerdVersion/g),
    ])
    .map(([, name = '']) => name);
  expect(perRelease).toContain('LinkerdMeshProps');
  const all = names.map((name) => (perRelease.includes(name) ? `${name}<'edge-26.8.3'>` : name));
  expect(all.length).toBeGreaterThan(40);
  return `import { LinkerdMesh, Platform, Prometheus } from 'cdk8s-linkerd';
     import type { ${names.join(', ')} } from 'cdk8s-linkerd';
     type Optional<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? K : never }[keyof T];
     /** The optional members that must be left out rather than be undefined. */
     type Exact<T> = { [K in Optional<T>]: Record<K & string, undefined> extends Pick<T, K> ? never : K }[Optional<T>];
     export const exact: { readonly none: [${all.map((name) => `Exact<${name}>`).join(', ')}][number][] } = {
       none: [] satisfies never[],
     };
     export type None = [(typeof exact.none)[number]] extends [never] ? true : never;
     export const none: None = true;
     // @ts-expect-error this project sets exactOptionalPropertyTypes
     export const own: { readonly prop?: string } = { prop: undefined };
     const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', argocd: undefined });
     platform.addCluster('home', { domain: undefined, destination: { name: 'home', server: undefined } }, (home) => {
       const prometheus = Prometheus.fromUrl({ url: 'http://prometheus:9090', scraper: undefined });
       new LinkerdMesh(home, 'mesh', { cni: undefined, values: { proxy: { logLevel: undefined } }, viz: { prometheus } });
     });`;
}
