import { defineVariadic } from '../go/define';
import type { GoFunction, GoFunctions, GoObject, GoParameterType } from '../go/values';
import { FunctionError } from '../go/values';

/** A template calls a function that returns something else at each run. */
export class NotReproducibleError extends FunctionError {
  constructor(
    /** The function that the template calls. */
    readonly functionName: string,
    does: string,
    instead: string,
  ) {
    super(`${functionName} ${does}: ${instead}`);
  }
}

const CLOCK = 'reads the clock, so that each run gives another result';
const RANDOM = 'returns another result at each run';
const KEYS = 'creates a private key at each run, and a key must not be in Git';
const OTHER_CERTIFICATE = 'issues another certificate at each run';
const SALT = 'draws a random salt, so that each run gives another result';
const SET_VALUE = 'set the value that the template asks for, so that it has nothing to create';
const SET_SECRET = 'create the Secret outside of Git, and set the value by which the chart uses an existing one';
const SET_CERTIFICATE = 'issue the certificate in the cluster, and set the values by which the chart uses it';

const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  now: [CLOCK, 'set the date as a value'],
  ago: [CLOCK, 'set the duration as a value'],
  randAlphaNum: [RANDOM, SET_VALUE],
  randAlpha: [RANDOM, SET_VALUE],
  randNumeric: [RANDOM, SET_VALUE],
  randAscii: [RANDOM, SET_VALUE],
  randBytes: [RANDOM, SET_VALUE],
  randInt: [RANDOM, SET_VALUE],
  shuffle: [RANDOM, SET_VALUE],
  uuidv4: [RANDOM, SET_VALUE],
  genPrivateKey: [KEYS, SET_SECRET],
  htpasswd: [SALT, SET_SECRET],
  bcrypt: [SALT, SET_SECRET],
  encryptAES: ['draws a random initialization vector, so that each run gives another result', SET_SECRET],
};

const CERTIFICATES: Readonly<Record<string, string>> = {
  genCA: KEYS,
  genCAWithKey: OTHER_CERTIFICATE,
  genSelfSignedCert: KEYS,
  genSelfSignedCertWithKey: OTHER_CERTIFICATE,
  genSignedCert: KEYS,
  genSignedCertWithKey: OTHER_CERTIFICATE,
};

const NO_PARAMETERS: readonly GoParameterType[] = [];

function refused(name: string, does: string, instead: string): GoFunction {
  return defineVariadic(NO_PARAMETERS, 'any', () => {
    throw new NotReproducibleError(name, does, instead);
  });
}

/** The functions that return something else at each run. */
export const notReproducible: GoFunctions = new Map([
  ...Object.entries(REASONS).map(([name, [does, instead]]) => [name, refused(name, does, instead)] as const),
  ...Object.entries(CERTIFICATES).map(
    ([name, does]) => [name, defineVariadic(NO_PARAMETERS, 'any', () => unusable(name, does))] as const,
  ),
]);

/**
 * Returns a certificate that is refused where a template uses it: charts issue one before they ask whether anything
 * needs it.
 */
function unusable(name: string, does: string): GoObject {
  const refusal = refused(name, does, SET_CERTIFICATE).call;
  const use: GoFunction = { parameters: [], call: refusal };
  const methods = new Map(['Cert', 'Key', 'String'].map((member) => [member, use]));
  return { goType: 'sprig.certificate', goKind: 'struct', data: null, fields: new Map(), methods };
}

/** What a date function is refused with when it would take the time of the machine. */
export function clockRefusal(name: string): NotReproducibleError {
  return new NotReproducibleError(
    name,
    `formats the time of the run, as it does for every value that is no date`,
    'give it a date from toDate, or a number of seconds from int64',
  );
}
