import type { BridgeRequest, TrustAnchorStatus } from '#anchor/trust-anchor';
import { printableText } from '#base/findings/printable-text';
import { describeProblem } from '#base/findings/problem';
import { bridgeConfigMap, bridgeOption, readBridge, signingGuide } from '#lib/cli/bridge-request';
import { withKubectl } from './cluster-options';
import { getObject, missingKubeconfig } from './kubectl';
import { writeOutFile } from './out-file';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `anchor request`. */
export interface AnchorRequestOptions {
  readonly context?: string;
  readonly name: string;
  readonly kubectl: string;
}

/** Prints the request for a bridge that a TrustAnchor waits for, and commands that sign it. */
export async function anchorRequest(options: AnchorRequestOptions, { stdout, stderr }: Terminal): Promise<number> {
  const { name } = options;
  const { bridge, phase } = await statusOf(options);
  if (bridge === undefined) {
    const is = phase === undefined ? '' : `, which is ${phase}`;
    stderr.write(printableText(`error: TrustAnchor ${name}${is}, does not wait for a signature\n`));
    return EXIT.refused;
  }
  stdout.write(bridge.request);
  stderr.write(printableText(signingGuide(bridge, new Date())));
  return EXIT.done;
}

const TIMEOUT_MS = 20_000;

/** The API server to which kubectl connects without a kubeconfig. */
const WITHOUT_KUBECONFIG = 'localhost:8080';

async function statusOf({
  name,
  context,
  kubectl: program,
}: AnchorRequestOptions): Promise<Pick<TrustAnchorStatus, 'bridge' | 'phase'>> {
  const of = { resource: 'trustanchors.config.linkerd.io', name, ...(context !== undefined && { context }) };
  const answer = await withKubectl(() => getObject(of, { program, requestTimeoutMs: TIMEOUT_MS }));
  if (!answer.ok) {
    const missing = answer.reason.includes(WITHOUT_KUBECONFIG) ? missingKubeconfig() : undefined;
    throw new Misuse(printableText(missing === undefined ? answer.reason : `${answer.reason}; ${missing}`));
  }
  const { status }: { readonly status?: TrustAnchorStatus } = JSON.parse(answer.text);
  return { ...status, ...(status?.bridge !== undefined && { bridge: checked(status.bridge) }) };
}

/** Refuses invalid fields: every client that may write the status sets them, and users paste them into a shell. */
function checked({ request, subject, signer, pathLength, notAfter, until, generation }: BridgeRequest): BridgeRequest {
  const [found] = PEM.exec(request) ?? [];
  const times = [notAfter, until].flatMap((time) => time ?? []);
  if (found === undefined || !Number.isSafeInteger(pathLength) || !times.every((time) => TIME.test(time))) {
    throw new Misuse('the status of the TrustAnchor contains no certificate signing request, or an invalid one');
  }
  return {
    generation,
    pathLength,
    request: `${found}\n`,
    subject: String(subject),
    signer: String(signer),
    ...(notAfter !== undefined && { notAfter }),
    ...(until !== undefined && { until }),
  };
}

const PEM = /-----BEGIN CERTIFICATE REQUEST-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE REQUEST-----/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The options of `anchor answer`. */
export interface AnchorAnswerOptions {
  readonly namespace: string;
  readonly option?: boolean;
  readonly out?: string;
}

/** Prints a signed bridge for the operator: as a ConfigMap, or as an option of the program. */
export function anchorAnswer(
  file: string,
  { namespace, option, out }: AnchorAnswerOptions,
  { stdout, stderr, readFile }: Terminal,
): number {
  const read = readBridge(file, textOf(file, readFile));
  if ('problem' in read) {
    stderr.write(`error: ${describeProblem(read.problem)} [${read.problem.code}]\n`);
    return EXIT.refused;
  }
  const text = option ? bridgeOption(read.pem) : bridgeConfigMap(read.pem, namespace);
  if (out === undefined) stdout.write(text);
  else writeOutFile(out, text);
  return EXIT.done;
}

function textOf(file: string, readFile: Terminal['readFile']): string {
  try {
    return readFile(file);
  } catch (error) {
    throw new Misuse(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
