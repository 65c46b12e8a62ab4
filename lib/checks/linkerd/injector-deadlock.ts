import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { matchesSelector } from '#base/label-selector';
import { itemsOf, textIn } from '#base/select-fields';
import { type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { ADMISSION_WEBHOOKS, CONTROL_PLANE_COMPONENT } from '#linkerd/annotations';
import { MESHED_PODS_FINDINGS } from './findings';

/** A namespace whose pods must start while no injector answers. */
export interface NeededNamespace {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The labels are not known.
   *
   * @default false
   */
  readonly isUnknown?: boolean;
}

const NAME = 'kubernetes.io/metadata.name';

function isCaught(selector: unknown, { name, labels }: NeededNamespace): boolean {
  return matchesSelector(selector, { [NAME]: name, ...labels }, 'everything');
}

function namesOf(namespaces: readonly NeededNamespace[]): string {
  return namespaces.map(({ name }) => name).join(', ');
}

/** Reports namespaces that the injector needs, but whose pods would wait for it, by the values of the chart. */
export function checkInjectorDeadlocks(values: Values, needed: readonly NeededNamespace[]): readonly Problem[] {
  if (values.webhookFailurePolicy !== 'Fail') return [];
  const selector = valueAt(values, 'proxyInjector.namespaceSelector');
  const caught = needed.filter((one) => isCaught(selector, one) && !mayBeExempt(selector, one));
  if (caught.length === 0) return [];
  return [
    MESHED_PODS_FINDINGS.injectorDeadlock(
      { namespaces: namesOf(caught) },
      { about: 'values.proxyInjector.namespaceSelector' },
    ),
  ];
}

/** Whether unknown labels of a namespace decide if the selector exempts it. */
function mayBeExempt(selector: unknown, { isUnknown = false }: NeededNamespace): boolean {
  const { matchLabels, matchExpressions } = objectOf(selector);
  const keys = [...Object.keys(objectOf(matchLabels)), ...itemsOf(matchExpressions).map((one) => textIn(one, 'key'))];
  return isUnknown && keys.some((key) => key !== NAME);
}

/** The service of the injector, in the charts of all releases. */
const INJECTOR = 'linkerd-proxy-injector';

/** Returns the webhooks of an object that are those of the proxy injector. */
export function injectorWebhooks({ kind, webhooks }: KubernetesObject): readonly Readonly<Record<string, unknown>>[] {
  if (kind !== 'MutatingWebhookConfiguration') return [];
  return itemsOf(webhooks)
    .filter(isObject)
    .filter(({ clientConfig }) => textIn(objectOf(clientConfig).service, 'name') === INJECTOR);
}

/** Labels of pods of the control plane, which the webhook may select. */
const CONTROL_PLANE_PODS = { [CONTROL_PLANE_COMPONENT]: 'destination' };

/**
 * Reports namespaces that the injector needs, but whose pods would wait for it, by the injector's webhook.
 *
 * @param namespaceNamed - returns a namespace by its name; used for a webhook that selects pods of the control plane
 */
export function checkInjectorWebhook(
  object: KubernetesObject,
  needed: readonly NeededNamespace[],
  namespaceNamed: (name: string) => NeededNamespace,
): readonly Problem[] {
  return injectorWebhooks(object).flatMap(
    ({ clientConfig, failurePolicy = 'Fail', namespaceSelector, objectSelector }) => {
      if (failurePolicy !== 'Fail') return [];
      const namespace = textIn(objectOf(clientConfig).service, 'namespace');
      const isSelf = namespace !== undefined && matchesSelector(objectSelector, CONTROL_PLANE_PODS, 'everything');
      const caught = [...needed, ...(isSelf ? [namespaceNamed(namespace)] : [])].filter((one) =>
        isCaught(namespaceSelector, one),
      );
      const webhook = describeObject(object);
      const open = caught.filter((one) => mayBeExempt(namespaceSelector, one));
      const certain = caught.filter((one) => !open.includes(one));
      const problems: Problem[] = [];
      if (certain.length > 0) {
        problems.push(MESHED_PODS_FINDINGS.injectorDeadlockWebhook({ webhook, namespaces: namesOf(certain) }));
      }
      if (open.length > 0) {
        const found = { webhook, namespaces: namesOf(open), label: ADMISSION_WEBHOOKS };
        problems.push(MESHED_PODS_FINDINGS.injectorDeadlockUnlabelled(found));
      }
      return problems;
    },
  );
}

/** Whether the webhook selects the pods of a namespace that has only the default label with its name. */
export function selectsUnlabelled(namespaceSelector: unknown, name: string): boolean {
  return isCaught(namespaceSelector, { name, labels: {} });
}
