import { type AdmissionAnswer, type AdmissionRequest, BadAdmissionRequest } from './admission';

const API_VERSION = 'admission.k8s.io/v1';
const KIND = 'AdmissionReview';
/** The uids of the API server are UUIDs. */
const MAX_UID_LENGTH = 128;

/**
 * Reads the request of an AdmissionReview. Checks what the API server always sends, but not the object.
 * @throws BadAdmissionRequest if it is invalid
 */
export function readAdmissionReview(text: string): AdmissionRequest {
  const { apiVersion, kind, request } = fieldsOf(parseJson(text), 'the body');
  if (apiVersion !== API_VERSION || kind !== KIND) {
    throw new BadAdmissionRequest(`the body is not an ${KIND} of ${API_VERSION}`);
  }
  const fields = fieldsOf(request, 'request');
  fieldsOf(fields.kind, 'request.kind');
  fieldsOf(fields.resource, 'request.resource');
  fieldsOf(fields.userInfo, 'request.userInfo');
  for (const name of ['uid', 'operation']) {
    if (typeof fields[name] !== 'string' || fields[name] === '') {
      throw new BadAdmissionRequest(`request.${name} is missing`);
    }
  }
  // The uid is part of the answer, or of the log if the webhook fails.
  if (`${fields.uid}`.length > MAX_UID_LENGTH) throw new BadAdmissionRequest('request.uid is too long');
  return fields as unknown as AdmissionRequest;
}

/** Returns the AdmissionReview that answers the request of this uid. */
export function writeAdmissionReview(uid: string, answer: AdmissionAnswer): string {
  return JSON.stringify({
    apiVersion: API_VERSION,
    kind: KIND,
    response: { uid, allowed: answer.allowed, ...details(answer), warnings: answer.warnings },
  });
}

function details(answer: AdmissionAnswer): object {
  if (!answer.allowed) return { status: { code: 403, reason: 'Forbidden', message: answer.message } };
  if (answer.patch === undefined || answer.patch.length === 0) return {};
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(answer.patch)).toString('base64') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAdmissionRequest('the body is not JSON');
  }
}

function fieldsOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new BadAdmissionRequest(`${name} is not an object`);
}
