import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFiles } from '../gitops/synth/output/tree-on-disk';
import { linkTree } from '../support/consumer/link-tree';
import { type Project, projectWithLibrary } from '../support/consumer/project';

const ROOT = join(__dirname, '..', '..');
const EXAMPLES = join(ROOT, 'examples');
const PACKAGES = join(ROOT, 'node_modules');

interface Manifest {
  readonly private: boolean;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const own = manifestIn(ROOT);

/** What each example is about, by texts of files that it writes. */
const OUTPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'single-cluster': {
    'argocd/appproject.linkerd-mesh.yaml': 'kind: AppProject',
    'home/shop/deployment.web.yaml': 'linkerd.io/inject: enabled',
    'home/linkerd-reconciler/deployment.linkerd-reconciler.yaml': 'linkerd-reconciler',
  },
  'fleet-three-rings': {
    'argocd/applicationset.linkerd-mesh-staging.yaml': 'revision: main',
    'argocd/applicationset.linkerd-mesh-eu-1.yaml': 'revision: ring/early',
    'argocd/applicationset.linkerd-mesh-us-2.yaml': 'revision: ring/rest',
  },
  'bring-your-own-ca': {
    'home/linkerd/certificate.linkerd-identity-issuer.yaml': 'name: vault',
    'home/cert-manager/templates/bundle.linkerd-identity-trust-roots.yaml': 'cdk8s-linkerd/trust-anchor',
  },
  'openshift-multus': {
    'ocp/shop/networkattachmentdefinition.linkerd-cni.yaml': 'linkerd-cni',
    'ocp/linkerd/rolebinding.linkerd-scc-privileged.yaml': 'system:openshift:scc:privileged',
  },
  'in-existing-cdk8s-app': {
    'shop.k8s.yaml': 'linkerd.io/inject: enabled',
    'linkerd.k8s.yaml': 'name: linkerd-identity',
  },
  'charts-of-others': {
    'home/traefik/values.yaml': 'linkerd.io/inject: ingress',
    'home/velero/values.yaml': 'linkerd.io/inject: enabled',
    'home/longhorn-system/daemonset.longhorn-manager.yaml': 'POD_IP',
    'home/shop/ingress.web.yaml': 'shop-web-l5d-dst-override@kubernetescrd',
  },
  'brownfield-takeover': {
    'home/linkerd/deployment.linkerd-identity.yaml': 'replicas: 3',
    'home/linkerd/configmap.linkerd-config.yaml': 'clusterNetworks: 10.0.0.0/8',
  },
};

const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));

test('there is an example of each', () => {
  expect(examples).toEqual(Object.keys(OUTPUTS).sort());
  const index = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  expect(examples.filter((name) => !index.includes(`[${name}](${name})`))).toEqual([]);
});

describe.each(examples)('examples/%s', (name) => {
  const source = join(EXAMPLES, name);
  const manifest = manifestIn(source);
  const readme = readFileSync(join(source, 'README.md'), 'utf8');
  let project: Project;

  /** Copies the example into a project in which the packed library is installed, beside what it asks for. */
  beforeAll(async () => {
    project = await projectWithLibrary();
    cpSync(source, project.folder, { recursive: true });
    for (const folder of ['dist', 'node_modules'])
      rmSync(join(project.folder, folder), { recursive: true, force: true });
    const modules = join(project.folder, 'node_modules');
    mkdirSync(join(modules, '.bin'), { recursive: true });
    for (const bin of ['tsx', 'tsc', 'cdk8s']) symlinkSync(join(PACKAGES, '.bin', bin), join(modules, '.bin', bin));
    for (const plus of Object.keys(manifest.dependencies).filter((each) => each.startsWith('cdk8s-plus-'))) {
      linkTree(join(PACKAGES, plus), join(modules, plus));
    }
    for (const tool of Object.keys(manifest.devDependencies)) {
      mkdirSync(dirname(join(modules, tool)), { recursive: true });
      symlinkSync(join(PACKAGES, tool), join(modules, tool));
    }
  });

  /** Runs a script of the example. @returns all that it said */
  function run(...script: readonly string[]): string {
    // As npm does, which takes longer to start than a compiler takes.
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--run', ...script], {
      cwd: project.folder,
      encoding: 'utf8',
      env: { ...process.env, CDK8S_CHECK_UPGRADE: 'false' },
    });
    if (status !== 0) throw new Error(`${script.join(' ')} ended with ${status}: ${stdout}${stderr}`);
    return stdout + stderr;
  }

  it('asks for this version of the library, and for packages as this repository does', () => {
    const { 'cdk8s-linkerd': library, ...others } = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(library).toBe(`^${own.version}`);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((each) => [each, own.devDependencies[each]])));
    expect(manifest.private).toBe(true);
  });

  it('compiles', () => {
    expect(run('check')).toBe('');
  });

  it('is synthesized without a warning, twice with the same bytes', () => {
    expect(run('synth')).not.toMatch(/warning:/i);
    const output = readFiles(join(project.folder, 'dist'));
    for (const [file, text] of Object.entries(OUTPUTS[name] ?? {})) {
      expect(Object.keys(output)).toContain(file);
      expect(output[file]).toContain(text);
    }
    if (manifest.scripts.synth === 'tsx main.ts') expect(run('synth', '--', '--check')).toContain('up to date');
    else run('synth');
    expect(readFiles(join(project.folder, 'dist'))).toEqual(output);
  });

  it('has a README whose commands and links lead somewhere', () => {
    expect(readme.split('\n').length).toBeLessThan(20);
    const scripts = [...readme.matchAll(/\bnpm run (\w+)/g)].map(([, script = '']) => script);
    expect(scripts).toEqual(expect.arrayContaining(['check', 'synth']));
    expect(scripts.filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => join(source, target));
    expect(links.filter((target) => !existsSync(target))).toEqual([]);
    const written = [...readme.matchAll(/\bdist\/[\w./-]*\w/g)].map(([path]) => join(project.folder, path));
    expect(written.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test('the program that takes over is what `migrate` makes of the values, but for one line', async () => {
  const folder = join(EXAMPLES, 'brownfield-takeover');
  const project = await projectWithLibrary();
  const command = join(project.folder, '..', 'node_modules', '.bin', 'cdk8s-linkerd');
  const made = project.run(command, 'migrate', '--existing-cert-manager', '-f', join(folder, 'control-plane.yaml'));
  const options = ['format', '--stdin-file-path=control-plane.ts'];
  const formatted = execFileSync(join(PACKAGES, '.bin', 'biome'), options, {
    cwd: ROOT,
    input: made,
    encoding: 'utf8',
  });
  const added = "    crds: { gatewayApi: 'existing' },\n";
  const program = readFileSync(join(folder, 'control-plane.ts'), 'utf8');
  expect(program).toContain(added);
  expect(program.replace(added, '')).toBe(formatted);
});
