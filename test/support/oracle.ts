import { execFileSync } from 'node:child_process';
import { goTool } from './go-tools';

const ORACLE = goTool('oracle');

/** The answer of the oracle for a text: a value, or the reason why it refuses the text. */
export interface Answer {
  readonly value: unknown;
  readonly error?: string;
}

export type Question =
  | 'yaml'
  | 'duration'
  | 'cron'
  | 'cron-times'
  | 'dns-label'
  | 'dns-subdomain'
  | 'host'
  | 'label-value'
  | 'label-key'
  | 'annotation-key'
  | 'image'
  | 'x509-chain';

/** Runs the oracle, which reads texts with the Go libraries of Kubernetes, once for many texts. */
export function askOracle(question: Question, texts: readonly string[]): readonly Answer[] {
  const answers = execFileSync(ORACLE, [question], {
    input: texts.map((text) => JSON.stringify(text)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  return answers
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Answer);
}
