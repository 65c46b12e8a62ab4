import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { oneAtATime } from './one-at-a-time';

/** A Go program that tests compare with: sources in `test/go`, built once into `.cache/go-tools`. */
interface GoTool {
  readonly module: string;
  readonly package: string;
  /** The constants that the linker writes into the program: values of string variables by their full names. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Build tags, which leave out what tests do not need. */
  readonly tags?: string;
}

/** The version that a Kubernetes program reports: clients and controllers branch on it, and it is not in a module. */
const KUBERNETES_VERSION = {
  'k8s.io/component-base/version.gitVersion': 'v1.34.4',
  'k8s.io/component-base/version.gitMajor': '1',
  'k8s.io/component-base/version.gitMinor': '34',
};

/** Kubernetes, and what is built of its client: in one module, so that what they share is compiled once. */
const KUBERNETES = join(__dirname, '..', 'go', 'kubernetes');

const TOOLS = {
  /** The program that tells what the Go code inside Kubernetes makes of a text. */
  oracle: { module: join(__dirname, '..', 'go'), package: './oracle' },
  /** Helm itself. */
  helm: { module: KUBERNETES, package: 'helm.sh/helm/v3/cmd/helm' },
  /** The program that answers what Helm makes of charts. */
  'helm-renders': { module: KUBERNETES, package: './helm-renders' },
  /** The Applications of an ApplicationSet. */
  applicationset: { module: join(__dirname, '..', 'go', 'applicationset'), package: '.' },
  /** The program that tells which command lines kubectl's own parser understands. */
  'kubectl-lines': { module: KUBERNETES, package: './kubectl-lines' },
  /** The command line of Kubernetes, which people follow guides with. */
  kubectl: { module: KUBERNETES, package: 'k8s.io/kubernetes/cmd/kubectl', variables: KUBERNETES_VERSION },
  /** The store behind the API server. */
  etcd: { module: join(__dirname, '..', 'go', 'etcd'), package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': controlPlane('kube-apiserver'),
  'kube-controller-manager': controlPlane('kube-controller-manager'),
  'kube-scheduler': controlPlane('kube-scheduler'),
  /** The program that tests alerts with the engine of Prometheus; without service discoveries, a third of its code. */
  promtool: {
    module: join(__dirname, '..', 'go', 'prometheus'),
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    tags: 'remove_all_sd',
  },
  /** Nodes that exist on paper only: their pods become Ready without a container. */
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
 * Returns the path of a tool's program, and builds it first if this checkout has not. A build takes up to three minutes:
 * call this where a module is loaded, which has no timeout, and not in a test.
 */
export function goTool(name: GoToolName): string {
  const tool: GoTool = TOOLS[name];
  const program = join(CACHE, `${name}-${sourcesHash(tool)}`);
  // A build uses all processors, and the next tool may share what it compiles.
  if (!existsSync(program)) oneAtATime(CACHE, () => existsSync(program) || build(name, tool, program));
  return program;
}

function sourcesHash({ module, package: main, variables }: GoTool): string {
  const hash = createHash('sha256');
  if (variables !== undefined) hash.update(linkerFlags(variables));
  // Programs of others are wholly told by the versions of their modules.
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
  // Renamed when it is whole: a build that was killed leaves no half of a program.
  const partial = join(CACHE, `.${basename(program)}`);
  const { status, stderr, error } = spawnSync(
    'go',
    [
      // Without -trimpath, which makes the name of a replaced version a part of what is compiled: modules that are replaced
      // by the versions of Kubernetes would be compiled once more.
      ...['build', '-modcacherw', `-tags=${tags}`],
      // What debuggers read takes time to write, and the linker leaves it out. Functions that are not inlined make
      // programs somewhat slower, and a build a quarter shorter.
      ...['-gcflags=all=-dwarf=false -l', `-ldflags=${linkerFlags(variables)}`],
      ...['-o', partial, main],
    ],
    {
      cwd: module,
      // Compilers that collect their garbage less often take a seventh less processor time, for 200 MiB each at most.
      env: { ...process.env, CGO_ENABLED: '0', GOGC: '400' },
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    },
  );
  if (status !== 0) throw new Error(`Go cannot build the test tool "${name}": ${error?.message ?? stderr}`);
  renameSync(partial, program);
}
