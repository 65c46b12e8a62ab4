import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/** Texts in the output files of each example. */
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

/** The example that `cdk8s synth` synthesizes. */
const CDK8S_APP = 'in-existing-cdk8s-app';

const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));

test('the tests and examples/README.md list each example', () => {
  expect(examples).toEqual(Object.keys(OUTPUTS).sort());
  const index = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  expect(examples.filter((name) => !index.includes(`[${name}](${name})`))).toEqual([]);
});

/** The compiler options of all examples. One compilation of all takes a seventh of the time of seven. */
const COMPILER_OPTIONS = readFileSync(join(EXAMPLES, 'single-cluster', 'tsconfig.json'), 'utf8');

/**
 * Runs the programs of examples as `tsx main.ts` in their folders does, and then as `tsx main.ts --check` does, in one
 * process, which loads the library once.
 */
const ALL = `const root = process.cwd();
for (const time of ['first', 'second']) {
  if (time === 'second') process.argv.push('--check');
  for (const name of ${JSON.stringify(examples)}) {
    console.log(name);
    process.chdir(\`\${root}/\${name}\`);
    // Node.js runs a module again only if its specifier differs.
    await import(\`\${root}/\${name}/main.ts?\${time}\`);
  }
}
`;

/** A project with the packed library; each example is in a folder with its dependencies. */
let project: Project;

const copyOf = (name: string) => join(project.folder, name);

beforeAll(async () => {
  project = await projectWithLibrary();
  const copied = (path: string) => !['dist', 'node_modules'].includes(basename(path));
  for (const name of examples) {
    cpSync(join(EXAMPLES, name), copyOf(name), { recursive: true, filter: copied });
    const modules = join(copyOf(name), 'node_modules');
    const { dependencies, devDependencies } = manifestIn(copyOf(name));
    mkdirSync(join(modules, '.bin'), { recursive: true });
    for (const bin of ['tsx', 'cdk8s']) symlinkSync(join(PACKAGES, '.bin', bin), join(modules, '.bin', bin));
    for (const plus of Object.keys(dependencies).filter((each) => each.startsWith('cdk8s-plus-'))) {
      linkTree(join(PACKAGES, plus), join(modules, plus));
    }
    for (const tool of Object.keys(devDependencies)) {
      mkdirSync(dirname(join(modules, tool)), { recursive: true });
      symlinkSync(join(PACKAGES, tool), join(modules, tool));
    }
  }
});

/** Runs a program in a folder. @returns its output and error output */
function run(folder: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CDK8S_CHECK_UPGRADE: 'false' },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout + stderr;
}

const outputOf = (name: string) => readFiles(join(copyOf(name), 'dist'));

test('the examples compile', () => {
  const { compilerOptions } = JSON.parse(COMPILER_OPTIONS);
  const typeRoots = [join(PACKAGES, '@types')];
  project.write('tsconfig.json', { compilerOptions: { ...compilerOptions, typeRoots }, include: ['*/*.ts'] });
  expect(project.compile('7', '-p', '.')).toBe('');
});

test('the examples are synthesized without a warning, twice with the same bytes', () => {
  const printed = run(project.folder, join(PACKAGES, '.bin', 'tsx'), project.write('all.mts', ALL));
  expect(printed).not.toMatch(/warning:/i);
  // The example of `cdk8s synth` has no option --check.
  expect(printed.match(/up to date/g)).toHaveLength(examples.length - 1);
  for (const [name, files] of Object.entries(OUTPUTS)) {
    const output = outputOf(name);
    for (const [file, text] of Object.entries(files)) {
      expect(Object.keys(output)).toContain(file);
      expect(output[file]).toContain(text);
    }
  }
});

// Scripts with `tsx main.ts` are tested in the project that `cdk8s-linkerd init` creates.
test('`cdk8s synth` writes the same bytes in an existing app', () => {
  const expected = outputOf(CDK8S_APP);
  rmSync(join(copyOf(CDK8S_APP), 'dist'), { recursive: true });
  // Runs the script without npm, which is slow to start.
  expect(run(copyOf(CDK8S_APP), process.execPath, '--run', 'synth')).not.toMatch(/warning:/i);
  expect(outputOf(CDK8S_APP)).toEqual(expected);
});

describe.each(examples)('examples/%s', (name) => {
  const source = join(EXAMPLES, name);
  const manifest = manifestIn(source);
  const readme = readFileSync(join(source, 'README.md'), 'utf8');

  it('requires this version of the library, and the versions of packages that this repository has', () => {
    const { 'cdk8s-linkerd': library, ...others } = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(library).toBe(`file:../../cdk8s-linkerd-${own.version}.tgz`);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((each) => [each, own.devDependencies[each]])));
    expect(manifest.private).toBe(true);
  });

  it('has the scripts and compiler options that this suite runs', () => {
    expect(readFileSync(join(source, 'tsconfig.json'), 'utf8')).toBe(COMPILER_OPTIONS);
    const needed = ['@types/node', 'tsx', 'typescript'];
    expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(needed));
    expect(manifest.scripts).toEqual({ check: 'tsc', synth: name === CDK8S_APP ? 'cdk8s synth' : 'tsx main.ts' });
  });

  it('has a README with existing scripts, links and output files', () => {
    expect(readme.split('\n').length).toBeLessThan(20);
    const scripts = [...readme.matchAll(/\bnpm run (\w+)/g)].map(([, script = '']) => script);
    expect(scripts).toEqual(expect.arrayContaining(['check', 'synth']));
    expect(scripts.filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => join(source, target));
    expect(links.filter((target) => !existsSync(target))).toEqual([]);
    const written = [...readme.matchAll(/\bdist\/[\w./-]*\w/g)].map(([path]) => join(copyOf(name), path));
    expect(written.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test('the program of brownfield-takeover is the output of `migrate`, with one more line', () => {
  const folder = join(EXAMPLES, 'brownfield-takeover');
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
