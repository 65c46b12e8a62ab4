import { defineVariadic } from '../go/define';
import type { GoFunction, GoFunctions, GoObject, GoParameterType } from '../go/values';
import { FunctionError } from '../go/values';

/** Thrown if a template calls a function whose result differs in each run. */
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

const CLOCK = 'reads the clock, so its result differs in each run';
const RANDOM = 'returns a different result in each run';
const KEYS = 'creates a private key in each run, and a key must not be in Git';
const OTHER_CERTIFICATE = 'issues a different certificate in each run';
const SALT = 'draws a random salt, so its result differs in each run';
const SET_VALUE = 'set the value that the template would otherwise generate';
const SET_SECRET = 'create the Secret outside of Git, and set the value with which the chart uses an existing Secret';
const SET_CERTIFICATE = 'issue the certificate in the cluster, and set the values with which the chart uses it';

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
  encryptAES: ['draws a random initialization vector, so its result differs in each run', SET_SECRET],
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

/** The functions whose results differ in each run. */
export const notReproducible: GoFunctions = new Map([
  ...Object.entries(REASONS).map(([name, [does, instead]]) => [name, refused(name, does, instead)] as const),
  ...Object.entries(CERTIFICATES).map(
    ([name, does]) => [name, defineVariadic(NO_PARAMETERS, 'any', () => unusable(name, does))] as const,
  ),
]);

/**
 * Returns a certificate whose use is refused. Its creation is not, because charts create certificates before they check
 * whether any object needs them.
 */
function unusable(name: string, does: string): GoObject {
  const refusal = refused(name, does, SET_CERTIFICATE).call;
  const use: GoFunction = { parameters: [], call: refusal };
  const methods = new Map(['Cert', 'Key', 'String'].map((member) => [member, use]));
  return { goType: 'sprig.certificate', goKind: 'struct', data: null, fields: new Map(), methods };
}

/** Returns the error of a date function that would use the present time. */
export function clockRefusal(name: string): NotReproducibleError {
  return new NotReproducibleError(
    name,
    `formats the present time if its argument is not a date`,
    'give it a date from toDate, or a number of seconds from int64',
  );
}
