import { Readable, Writable } from 'node:stream';
import { run } from '#bin/program';
import { CLUSTER, STRANGERS, TRAFFIC } from '../program';
import { type Step, StepFailure, until, type Walk } from '../walk';

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly subject?: string;
}

/** Compares the reports of `diff` and `status` with the events of the run. */
export const STATUS: Step = {
  name: 'status',
  summary: 'diff names the workloads that restarted; status finds no errors, and later a manual change',
  async run(walk) {
    const diff = await command(['diff', `${walk.outdir}.earlier`, '--to', walk.outdir, '--format', 'json']);
    const foretold = restartsIn(JSON.parse(diff.stdout));
    // Must equal the restarts in the step `restart`.
    if (foretold.restarted.join() !== RESTARTED || !foretold.kept.includes(KEPT)) {
      throw new StepFailure(`diff predicted other restarts than those that happened: ${JSON.stringify(foretold)}`);
    }
    const quiet = await findings(walk);
    const wrong = quiet.filter(({ severity }) => severity === 'error');
    if (wrong.length > 0) throw new StepFailure(`status finds ${wrong.map(({ code }) => code).join(', ')}`);

    // This field is in the output, unlike fields that an apply ignores, and its change restarts no pod.
    const outsider = { resource: 'deployments.apps', name: 'outsider', namespace: STRANGERS };
    const surge = (maxSurge: number) => ({ spec: { strategy: { rollingUpdate: { maxSurge } } } });
    await walk.cluster.patch(outsider, surge(2));
    try {
      await until(walk, async () => {
        const known = new Set(quiet.map(({ code }) => code));
        const fresh = (await findings(walk)).filter(({ code }) => !known.has(code));
        return fresh.some(({ code }) => code === DRIFT) ? undefined : 'status does not find the manual change yet';
      });
    } finally {
      await walk.cluster.until().patch(outsider, surge(1));
    }
    const codes = [...new Set(quiet.map(({ code }) => code))];
    return {
      text: `diff predicted the restarts; status: no errors (${codes.join(', ') || 'no findings'}), and later the manual change`,
    };
  },
};

const DRIFT = 'objects-differ';
const RESTARTED = `Deployment ${TRAFFIC}/server`;
const KEPT = `Deployment ${TRAFFIC}/client`;

interface Diff {
  readonly groups: readonly { readonly consequences: readonly Consequence[] }[];
}

interface Consequence {
  readonly code: string;
  readonly restarted?: readonly string[];
  readonly kept?: readonly string[];
}

/** Returns the workloads that restart, and those that keep their proxies, according to `diff`. */
function restartsIn({ groups }: Diff) {
  const changes = groups
    .flatMap(({ consequences }) => consequences)
    .filter(({ code }) => code === 'proxy-configuration-changed');
  return {
    restarted: changes.flatMap(({ restarted = [] }) => restarted),
    kept: changes.flatMap(({ kept = [] }) => kept),
  };
}

async function findings({ outdir, context }: Walk): Promise<readonly Finding[]> {
  const args = ['status', '--from', outdir, '--context', `${CLUSTER}=${context}`, '--drift', '--format', 'json'];
  const { stdout, stderr, code } = await command(args);
  // Findings and failures both exit with 1, but a failure prints no findings.
  if (code > 1 || stdout === '') throw new StepFailure(`status: ${stderr.trim().slice(0, 300)}`);
  return JSON.parse(stdout).clusters.flatMap(({ findings }: { readonly findings: readonly Finding[] }) => findings);
}

async function command(args: readonly string[]) {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const stdin = Readable.from([]);
  const readFile = (path: string) => {
    throw new Error(`${path} is not needed`);
  };
  const code = await run(args, { stdin, stdout, stderr, readFile });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
