import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { oneAtATime } from './one-at-a-time';

/** A Go program for tests, built once from sources in `test/go` into `.cache/go-tools`. */
interface GoTool {
  readonly module: string;
  readonly package: string;
  /** String variables that the linker sets, by full name. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Build tags that exclude code which tests do not need. */
  readonly tags?: string;
}

/** The version that a Kubernetes program reports. Clients depend on it, and a module does not contain it. */
const KUBERNETES_VERSION = {
  'k8s.io/component-base/version.gitVersion': 'v1.34.4',
  'k8s.io/component-base/version.gitMajor': '1',
  'k8s.io/component-base/version.gitMinor': '34',
};

/** The module of Kubernetes and of programs that import client-go. They share it, so that packages are compiled once. */
const KUBERNETES = join(__dirname, '..', 'go', 'kubernetes');

const TOOLS = {
  /** Answers how the Go libraries of Kubernetes read a text. */
  oracle: { module: join(__dirname, '..', 'go'), package: './oracle' },
  /** The Helm CLI. */
  helm: { module: KUBERNETES, package: 'helm.sh/helm/v3/cmd/helm' },
  /** Renders many charts with Helm in one process. */
  'helm-renders': { module: KUBERNETES, package: './helm-renders' },
  /** Generates the Applications of an ApplicationSet. */
  applicationset: { module: join(__dirname, '..', 'go', 'applicationset'), package: '.' },
  /** Answers which command lines kubectl's own parser accepts. */
  'kubectl-lines': { module: KUBERNETES, package: './kubectl-lines' },
  /** The CLI of Kubernetes, for tests of guides. */
  kubectl: { module: KUBERNETES, package: 'k8s.io/kubernetes/cmd/kubectl', variables: KUBERNETES_VERSION },
  /** The store of the API server. */
  etcd: { module: join(__dirname, '..', 'go', 'etcd'), package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': controlPlane('kube-apiserver'),
  'kube-controller-manager': controlPlane('kube-controller-manager'),
  'kube-scheduler': controlPlane('kube-scheduler'),
  /** Tests alerts with the engine of Prometheus. Without service discoveries, a third of its code is left out. */
  promtool: {
    module: join(__dirname, '..', 'go', 'prometheus'),
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    tags: 'remove_all_sd',
  },
  /** Simulates nodes: their pods become Ready without a container. */
  kwok: { module: join(__dirname, '..', 'go', 'kwok'), package: 'sigs.k8s.io/kwok/cmd/kwok' },
} as const satisfies Record<string, GoTool>;

export type GoToolName = keyof typeof TOOLS;

/** The names of all tools. */
export const GO_TOOLS = Object.keys(TOOLS) as readonly GoToolName[];

const CACHE = join(__dirname, '..', '..', '.cache', 'go-tools');

function controlPlane(program: string): GoTool {
  return {
    module: KUBERNETES,
    package: `k8s.io/kubernetes/cmd/${program}`,
    variables: KUBERNETES_VERSION,
  };
}

/**
 * Returns the path of a tool's program, and builds it first if it is missing. A build takes up to three minutes, so
 * call this when a module is loaded, which has no timeout, and not in a test.
 */
export function goTool(name: GoToolName): string {
  const tool: GoTool = TOOLS[name];
  const program = join(CACHE, `${name}-${sourcesHash(tool)}`);
  // Builds run one at a time: each uses all processors, and the next one may reuse its compiled packages.
  if (!existsSync(program)) oneAtATime(CACHE, () => existsSync(program) || build(name, tool, program));
  return program;
}

function sourcesHash({ module, package: main, variables }: GoTool): string {
  const hash = createHash('sha256');
  if (variables !== undefined) hash.update(linkerFlags(variables));
  // The module versions in go.mod and go.sum determine a program of another project.
  const own = main.startsWith('.') ? readdirSync(join(module, main)).filter((file) => file.endsWith('.go')) : [];
  for (const file of ['go.mod', 'go.sum', ...own.sort().map((name) => join(main, name))]) {
    hash.update(`${file}\n`).update(readFileSync(join(module, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

function linkerFlags(variables: Readonly<Record<string, string>> = {}): string {
  return ['-s -w', ...Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`)].join(' ');
}

function build(name: GoToolName, { module, package: main, variables, tags = '' }: GoTool, program: string): void {
  // The program is renamed when it is complete, so a killed build leaves no partial program.
  const partial = join(CACHE, `.${basename(program)}`);
  const { status, stderr, error } = spawnSync(
    'go',
    [
      // With -trimpath, the cache key would contain the name of a replaced version: modules that are replaced by the
      // versions of Kubernetes would be compiled again.
      ...['build', '-modcacherw', `-tags=${tags}`],
      // Debug information takes time to write, and the linker drops it. Without inlining, programs are somewhat slower,
      // and a build is a quarter shorter.
      ...['-gcflags=all=-dwarf=false -l', `-ldflags=${linkerFlags(variables)}`],
      ...['-o', partial, main],
    ],
    {
      cwd: module,
      // With less garbage collection, compilers take a seventh less CPU time, for at most 200 MiB each.
      env: { ...process.env, CGO_ENABLED: '0', GOGC: '400' },
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    },
  );
  if (status !== 0) throw new Error(`Go cannot build the test tool "${name}": ${error?.message ?? stderr}`);
  renameSync(partial, program);
}
