import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const HOME = join(__dirname, '../../dist/home');

/** Typical objects of a mesh, with lists in lists, long texts, and texts of several lines. */
export const ORDINARY_OBJECTS: readonly object[] = [
  'linkerd/certificate.linkerd-identity-issuer.yaml',
  'linkerd/deployment.linkerd-destination.yaml',
  'linkerd/configmap.linkerd-config.yaml',
  'linkerd/mutatingwebhookconfiguration.linkerd-proxy-injector-webhook-config.yaml',
  'cert-manager/templates/validatingadmissionpolicy.linkerd-issuers.yaml',
].map((file): object => parse(readFileSync(join(HOME, file), 'utf8')));
