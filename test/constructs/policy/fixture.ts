import { ApiObject, type Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { plainObjects } from '../../support/plain-app';
import { EDGE, mesh } from '../meshing/fixture';

/** A mesh with the namespace shop. */
export function shop(controlPlane: Parameters<typeof mesh>[0] = EDGE) {
  const made = mesh(controlPlane);
  made.meshing.namespace('shop');
  return made;
}

/** Options that override the defaults of `deployment`. */
interface DeploymentOptions {
  readonly namespace?: string;
  readonly account?: string;
  readonly container?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A Deployment with a ServiceAccount and one container that serves HTTP. */
export function deployment(scope: Construct, name: string, options: DeploymentOptions = {}): ApiObject {
  const { namespace, account = name, container = {}, annotations = {}, labels = {} } = options;
  if (account !== 'default') serviceAccount(scope, account, namespace);
  const all = { app: name, ...labels };
  return new ApiObject(scope, `${namespace ?? ''}${name}`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: all, annotations },
        spec: {
          serviceAccountName: account,
          containers: [
            { name: 'main', image: `${name}:1`, ports: [{ name: 'http', containerPort: 8080 }], ...container },
          ],
        },
      },
    },
  });
}

export function serviceAccount(scope: Construct, name: string, namespace?: string): ApiObject {
  return new ApiObject(scope, `${namespace ?? ''}${name}-account`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  });
}

/** The Service of a Deployment. */
export function service(scope: Construct, name: string, spec: object = {}): ApiObject {
  return new ApiObject(scope, `${name}-service`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...spec },
  });
}

/** Returns the emitted policies by kind and name. */
export function policiesIn(chart: Chart): Readonly<Record<string, KubernetesObject>> {
  const objects = (plainObjects(chart) as KubernetesObject[]).filter(({ apiVersion }) =>
    apiVersion.startsWith('policy.linkerd.io/'),
  );
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

/** The expected finding about a value that policies do not accept. */
export const refusedValue = (field: string, value: unknown = expect.anything()) => ({
  code: 'policy-value-refused',
  parameters: { field, value },
});

/** An expected finding by its code. */
export const found = (code: string, parameters: object) => ({ code, parameters });
