import { createInterface, type Interface } from 'node:readline/promises';
import { printableText } from '#base/findings/printable-text';
import { describeProblem } from '#base/findings/problem';
import { type Answers, checkAnswers } from '#lib/cli/init/answers';
import { CI_SYSTEMS, GATEWAY_APIS } from '#lib/cli/init/choices';
import { Misuse, type Terminal } from './terminal';

/** The options of `init`. The command asks for missing ones, or uses their defaults. */
export interface InitOptions extends Partial<Omit<Answers, 'clusters'>> {
  /** Comma-separated names. */
  readonly clusters?: string;
  readonly yes?: boolean;
  readonly install: boolean;
}

/** Asks for each answer that no option sets. @throws Misuse if the input ends before the last answer */
export async function ask(options: InitOptions, defaults: Answers, { stdin, stdout }: Terminal): Promise<Answers> {
  const reader = createInterface({ input: stdin, output: stdout });
  try {
    const questions = new Questions(reader, stdout);
    const { repoUrl, path } = defaults;
    const refusal = (change: Partial<Answers>) => {
      const [problem] = checkAnswers({ repoUrl: ANY_URL, path: 'dist', clusters: ['a'], ...change });
      return problem && describeProblem(problem);
    };
    const url = await questions.text(options.repoUrl, 'URL of the Git repository that Argo CD reads', repoUrl, (text) =>
      refusal({ repoUrl: text }),
    );
    const folder = await questions.text(options.path, 'Folder of the output in the repository', path, (text) =>
      refusal({ path: text }),
    );
    const clusters = await questions.text(
      options.clusters,
      'Cluster names, starting with the cluster of Argo CD',
      defaults.clusters.join(','),
      (text) => refusal({ clusters: wordsIn(text) }),
    );
    return {
      ...defaults,
      repoUrl: url,
      path: folder,
      clusters: wordsIn(clusters),
      fleet: await questions.decision(options.fleet, 'List the clusters in fleet.yaml', defaults.fleet),
      gatewayApi: await questions.choice(
        options.gatewayApi,
        'CRDs of the Gateway API: install, or use existing ones',
        GATEWAY_APIS,
        defaults.gatewayApi,
      ),
      highAvailability: await questions.decision(
        options.highAvailability,
        'Run three replicas of each control plane component, on three or more nodes',
        defaults.highAvailability,
      ),
      operator: await questions.decision(
        options.operator,
        'Install the operator, which rotates the trust anchor and restarts workloads',
        defaults.operator,
      ),
      ci: await questions.choice(options.ci, 'CI system', CI_SYSTEMS, defaults.ci),
    };
  } finally {
    reader.close();
  }
}

const ANY_URL = 'https://git.example.com/platform.git';

/** Returns the names in a list, separated by commas or spaces. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

class Questions {
  /** Pasted lines may arrive before their questions. */
  private readonly lines: AsyncIterator<string>;
  private isClosed = false;

  constructor(
    private readonly reader: Interface,
    private readonly stdout: Terminal['stdout'],
  ) {
    this.lines = reader[Symbol.asyncIterator]();
    reader.once('close', () => {
      this.isClosed = true;
    });
  }

  async text(
    given: string | undefined,
    question: string,
    otherwise: string,
    check: (text: string) => string | undefined,
  ): Promise<string> {
    if (given !== undefined) return given;
    for (;;) {
      const hint = otherwise === '' ? '' : ` [${otherwise}]`;
      this.put(`${question}${hint}: `);
      const line = await this.lines.next();
      if (line.done === true) throw new Misuse('Input ended before the last answer: nothing was written');
      const answer = line.value.trim() || otherwise;
      const refusal = check(answer);
      if (refusal === undefined) return answer;
      this.stdout.write(printableText(`${refusal}\n`));
    }
  }

  private put(prompt: string): void {
    this.reader.setPrompt(prompt);
    // A closed reader cannot prompt, although buffered lines may remain.
    if (this.isClosed) this.stdout.write(prompt);
    else this.reader.prompt();
  }

  async choice<T extends string>(
    given: T | undefined,
    question: string,
    among: readonly T[],
    otherwise: T,
  ): Promise<T> {
    const check = (text: string) =>
      among.some((one) => one === text) ? undefined : `"${text}" is not one of ${among.join(', ')}.`;
    return (await this.text(given, `${question} (${among.join(', ')})`, otherwise, check)) as T;
  }

  async decision(given: boolean | undefined, question: string, otherwise: boolean): Promise<boolean> {
    if (given !== undefined) return given;
    const check = (text: string) => (/^(?:y|yes|n|no)$/i.test(text) ? undefined : `"${text}" is not one of yes, no.`);
    return /^y/i.test(await this.text(undefined, `${question} (yes, no)`, otherwise ? 'yes' : 'no', check));
  }
}
