import type { Problem } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { DAY, HOUR, MINUTE, SECOND } from '#base/time-units';

const UNITS = { days: DAY, hours: HOUR, minutes: MINUTE, seconds: SECOND, millis: 1 } as const;

/** Durations as code, in messages of constructs. */
const IN_CODE = /Duration\.(days|hours|minutes|seconds|millis)\(([\d.]+)\)/g;

/** Texts of constructs about their props, and the texts about options that replace them. */
const WORDS: readonly (readonly [code: RegExp, text: string])[] = [
  [/set trustAnchor to \{ duration: (\S+), renewBefore: (\S+) \}/g, 'set --duration $1 and --renew-before $2'],
  [
    /set identityIssuer to \{ duration: (\S+), renewBefore: (\S+) \}/g,
    'set duration $1 and renewBefore $2 in Certificate linkerd-identity-issuer',
  ],
  [/,? or restart more workloads at a time \([^)]*\)/g, ''],
  [/\btrustAnchor\.operator\.cluster\b/g, '--cluster'],
  [/\btrustAnchor\.duration\b/g, '--duration'],
  [/\btrustAnchor\.renewBefore\b/g, '--renew-before'],
  [/\bidentityIssuer\.(duration|renewBefore)\b/g, 'spec.$1 of Certificate linkerd-identity-issuer'],
  [/\bidentityIssuer\b/g, 'Certificate linkerd-identity-issuer'],
  [/\binstallerFieldManagers\b/g, '--installers'],
  [/(?<![.\w])(?:identity\.issuer\.)?(issuanceLifetime|clockSkewAllowance)\b/g, 'identity.issuer.$1'],
  [/^image is /, '--image is '],
  [/\bnot a Duration\b/g, 'not a duration'],
  [
    /It needs an explicit unit and form, such as those of a Duration of cdk8s/g,
    'It must be a number with a unit (h, m or s), or several of them',
  ],
  [/pass a Duration, such as \S+ or '([^']*)'/g, 'write it as $1'],
];

/** Returns problems of constructs in the words of `operator manifests`, each once. */
export function inOptions(problems: readonly Problem[]): readonly Problem[] {
  const isRepeated = ({ place, what }: Problem) =>
    place !== undefined && problems.some((other) => other.place === undefined && other.what.endsWith(what));
  return problems.filter((problem) => !isRepeated(problem)).map(worded);
}

function worded(problem: Problem): Problem {
  const [what, why, fix] = [problem.what, problem.why, problem.fix].map((text) =>
    WORDS.reduce((before, [code, words]) => before.replace(code, words), text.replace(IN_CODE, durationOf)),
  ) as [string, string, string];
  return { ...problem, what, why, fix };
}

function durationOf(code: string, unit: keyof typeof UNITS, count: string): string {
  const ms = Number(count) * UNITS[unit];
  const text = ms % HOUR === 0 ? `${ms / HOUR}h` : `${ms / SECOND}s`;
  return goDurationMs(text) === ms ? text : code;
}
