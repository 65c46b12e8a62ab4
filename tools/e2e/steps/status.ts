import { Readable, Writable } from 'node:stream';
import { run } from '../../../bin/program';
import { CLUSTER, TRAFFIC } from '../program';
import { type Step, StepFailure, until, type Walk } from '../walk';

/** A finding in the JSON of `status`. */
interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly subject?: string;
}

/** Compares what `diff` and `status` report with what happened. */
export const STATUS: Step = {
  name: 'status',
  summary: 'diff names the workloads that restarted, status finds nothing, and then the change that is made by hand',
  async run(walk) {
    const restarts = await command(['diff', `${walk.outdir}.earlier`, '--to', walk.outdir, '--format', 'json']);
    if (!restarts.stdout.includes('logFormat')) throw new StepFailure('diff does not show the change of logFormat');
    const quiet = await findings(walk);
    const wrong = quiet.filter(({ severity }) => severity === 'error');
    if (wrong.length > 0) throw new StepFailure(`status finds ${wrong.map(({ code }) => code).join(', ')}`);

    const service = { resource: 'services', name: 'server', namespace: TRAFFIC };
    await walk.cluster.patch(service, { spec: { sessionAffinity: 'ClientIP' } });
    try {
      await until(walk, async () => {
        const known = new Set(quiet.map(({ code }) => code));
        const fresh = (await findings(walk)).filter(({ code }) => !known.has(code));
        return fresh.some(({ code }) => code === DRIFT) ? undefined : 'status does not find the change by hand yet';
      });
    } finally {
      await walk.cluster.until().patch(service, { spec: { sessionAffinity: 'None' } });
    }
    const codes = [...new Set(quiet.map(({ code }) => code))];
    return {
      text: `diff shows the change; status: no errors (${codes.join(', ') || 'no findings'}), and then the change by hand`,
    };
  },
};

const DRIFT = 'objects-differ';

async function findings({ outdir, context }: Walk): Promise<readonly Finding[]> {
  const args = ['status', '--from', outdir, '--context', `${CLUSTER}=${context}`, '--drift', '--format', 'json'];
  const { stdout, stderr, code } = await command(args);
  if (code > 1) throw new StepFailure(`status: ${stderr.trim().slice(0, 300)}`);
  return JSON.parse(stdout).clusters.flatMap(({ findings }: { readonly findings: readonly Finding[] }) => findings);
}

/** Runs a command of the library as `npx cdk8s-linkerd` does. */
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
