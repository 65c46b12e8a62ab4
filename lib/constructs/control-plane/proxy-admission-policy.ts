import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { matchesSelector } from '#base/label-selector';
import { type Values, valueAt } from '#base/values';
import type { LabelSelector, ValidatingAdmissionPolicyBinding } from '#imports/kubernetes';
import { admissionPolicy, admissionPolicyBinding } from '#kubernetes/admission-policy';
import { checkDnsLabel } from '#kubernetes/names';
import { ADMISSION_WEBHOOKS, INJECT } from '#linkerd/annotations';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { type GivenRelease, releaseOf } from '#linkerd/releases/release';
import type { NeededNamespace } from '../../checks/linkerd/injector-deadlock';
import { requestsProxy } from '../../checks/policy/pod-sets';
import { addRule } from '../../gitops/tree/add-rule';
import { objectsAround } from '../../gitops/tree/api-objects';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';
import { aheadOfFolder } from '../../gitops/tree/order';
import type { IPreparable } from '../../gitops/tree/prepare';
import { CONTROL_PLANE_FINDINGS } from './findings';

interface RequiredProxies {
  readonly namespace: string;
  readonly action: ProxyRequirement | false;
  readonly mesh: InjectingMesh;
  readonly preset: boolean;
}

/**
 * Makes the API server check that each new pod in a namespace has the proxy that it should have. Without the check, a
 * pod that starts before the proxy injector answers runs outside the mesh until it is deleted.
 *
 * A namespace has one policy: the user's setting overrides the default of a construct of the mesh.
 */
export function requireProxies(scope: Construct, required: RequiredProxies): void {
  const impossible = checkDnsLabel('The namespace with requireProxy', required.namespace);
  if (impossible.length > 0) {
    // Constructs check the names of their own namespaces.
    if (!required.preset) addRule(scope, () => impossible);
    return;
  }
  const chart = meshScopeOf(scope);
  const id = `require-proxy-${required.namespace}`;
  const policy = (chart.node.tryFindChild(id) ??
    new ProxyAdmissionPolicy(chart, id, required.namespace)) as ProxyAdmissionPolicy;
  addRule(scope, () => policy.check(required));
  policy.add(required);
}

/**
 * Returns the namespaces in the chart of `scope` in which the user has set that pods without a proxy are refused.
 * Defaults do not count: their constructs report a namespace that cannot be meshed.
 */
export function namespacesRefusing(scope: IConstruct): readonly string[] {
  return meshScopeOf(scope)
    .node.findAll()
    .filter((construct) => construct instanceof ProxyAdmissionPolicy)
    .filter(({ isAsked, action }) => isAsked && action === 'deny')
    .map(({ namespace }) => namespace);
}

/**
 * A ValidatingAdmissionPolicy (Kubernetes 1.30) on the creation of pods, bound to one namespace, in that namespace's
 * folder, and ordered before all its other objects: API servers load a policy within a second or two, and Argo CD waits
 * two seconds between waves.
 *
 * It fails closed. Only its expressions can fail, and they guard each optional field.
 */
class ProxyAdmissionPolicy extends Construct implements IPreparable {
  private readonly asked: RequiredProxies[] = [];
  private readonly preset: RequiredProxies[] = [];

  constructor(
    scope: Construct,
    id: string,
    readonly namespace: string,
  ) {
    super(scope, id);
    setHomeNamespace(this, namespace);
    addRule(this, () => {
      const { action, mesh } = this.decided;
      return action === false ? [] : checkReach(this, namespace, mesh);
    });
  }

  /** Adds the requirement of one construct. */
  add(required: RequiredProxies): void {
    (required.preset ? this.preset : this.asked).push(required);
  }

  prepare(): void {
    const { action, mesh } = this.decided;
    if (action !== false) this.addObjects(action, mesh);
  }

  /** Whether the action is set explicitly, and not only preset. */
  get isAsked(): boolean {
    return this.asked.length > 0;
  }

  get action(): ProxyRequirement | false {
    return this.decided.action;
  }

  /** The requirement in effect: the first explicit one, else the last preset. `requireProxies` adds at least one. */
  private get decided(): RequiredProxies {
    return (this.asked[0] ?? this.preset.at(-1)) as RequiredProxies;
  }

  check({ namespace, action, preset }: RequiredProxies): readonly Problem[] {
    const problems = action === false ? [] : checkProxyRequirement(namespace, action);
    if (problems.length > 0 || preset || action === this.action) return problems;
    const [here, elsewhere] = [String(JSON.stringify(action)), String(JSON.stringify(this.action))];
    return [CONTROL_PLANE_FINDINGS.requireProxyRefusedContradicted({ namespace, here, elsewhere })];
  }

  private addObjects(action: ProxyRequirement, mesh: InjectingMesh): void {
    const metadata = { name: `linkerd-require-proxy-${this.namespace}` };
    const policy = admissionPolicy(metadata, {
      matchConstraints: {
        // Pods outside the injector's webhook are not expected to have a proxy.
        objectSelector: injectorSelector(mesh, 'objectSelector') as LabelSelector,
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: 'Namespaced' },
        ],
      },
      matchConditions: MATCH_CONDITIONS,
      variables: VARIABLES,
      validations: [{ expression: [WANTS_NONE, ...HAS_PROXY].join(' || '), message: MESSAGE, reason: 'Forbidden' }],
    });
    const namespaceSelector: LabelSelector = {
      matchLabels: { 'kubernetes.io/metadata.name': this.namespace },
      // The label that turns the injector off in an emergency.
      matchExpressions: [{ key: ADMISSION_WEBHOOKS, operator: 'NotIn', values: ['disabled'] }],
    };
    const binding = admissionPolicyBinding(metadata, {
      matchResources: { matchPolicy: 'Equivalent', namespaceSelector },
      validationActions: validationActions(action),
    });
    for (const [id, object] of Object.entries({ policy, binding })) aheadOfFolder(manifest(this, id, object));
  }
}

const MATCH_CONDITIONS = [
  // The injector skips these: it would redirect the traffic of the node.
  { name: 'own-network', expression: '!object.spec.?hostNetwork.orValue(false)' },
  // The kubelet's mirror of a static pod, which runs regardless of admission.
  { name: 'no-mirror', expression: '!object.metadata.?annotations[?"kubernetes.io/config.mirror"].hasValue()' },
];

/** An empty value counts as absent. */
const mode = (metadata: string) => `${metadata}.?annotations[?"${INJECT}"].orValue("")`;

/** Variables, because match conditions are evaluated without the namespace. */
const VARIABLES = [
  { name: 'podMode', expression: mode('object.metadata') },
  { name: 'namespaceMode', expression: mode('namespaceObject.metadata') },
];

/** Every mode counts as a request, because the injector silently ignores modes that it does not know. */
const WANTS_NONE = '(variables.podMode != "" ? variables.podMode : variables.namespaceMode) in ["", "disabled"]';

const HAS_PROXY = ['containers', 'initContainers'].map(
  (list) => `object.spec.?${list}.orValue([]).exists(container, container.name == "linkerd-proxy")`,
);

const MESSAGE =
  `The pod has no container linkerd-proxy, although ${INJECT} of the pod or its namespace requests it: the injector ` +
  'did not answer, or cannot inject this pod (other sidecars, an unknown value of the annotation). ' +
  `Controllers retry automatically; with ${INJECT}: disabled, the pod starts without a proxy`;

function checkReach(scope: Construct, namespace: string, mesh: InjectingMesh): readonly Problem[] {
  const [object] = objectsAround(scope)
    .filter(({ kind, name }) => kind === 'Namespace' && name === namespace)
    .flatMap(({ json }) => json());
  const { labels = {}, annotations = {} } = object?.metadata ?? {};
  // A namespace that is meshed as a whole is already reported.
  if (requestsProxy(annotations[INJECT])) return [];
  return checkInjectorReaches({ name: namespace, labels }, mesh);
}

/**
 * What to do with a pod that starts without its proxy: `deny` makes the API server refuse it, and its controller retry;
 * `warn` allows it with a warning and an entry in the audit log; `audit` only adds the entry.
 */
export type ProxyRequirement = 'deny' | 'warn' | 'audit';

type ValidationActions = NonNullable<ValidatingAdmissionPolicyBinding['spec']>['validationActions'];

const VALIDATION_ACTIONS = new Map<unknown, ValidationActions>([
  ['deny', ['Deny']],
  ['warn', ['Warn', 'Audit']],
  ['audit', ['Audit']],
] satisfies [ProxyRequirement, ValidationActions][]);

/** An invalid requirement, which `checkProxyRequirement` reports, becomes `Deny`. */
function validationActions(action: ProxyRequirement): ValidationActions {
  return VALIDATION_ACTIONS.get(action) ?? ['Deny'];
}

interface InjectingMesh {
  readonly release: GivenRelease;
  /** All values of its chart; absent if unknown. */
  readonly effectiveValues?: Values;
}

/** Call it at synth. */
function injectorSelector(
  { release, effectiveValues }: InjectingMesh,
  selector: 'namespaceSelector' | 'objectSelector',
): unknown {
  return valueAt(effectiveValues ?? defaultsOf(releaseOf(release)).controlPlane, `proxyInjector.${selector}`);
}

function checkProxyRequirement(namespace: string, action: ProxyRequirement): readonly Problem[] {
  if (VALIDATION_ACTIONS.has(action)) return [];
  const known = [...VALIDATION_ACTIONS.keys()].join(', ');
  return [
    CONTROL_PLANE_FINDINGS.requireProxyRefusedAction({ namespace, action: String(JSON.stringify(action)), known }),
  ];
}

/** In a namespace that the injector's webhook excludes, pods would never start, or never be checked. */
function checkInjectorReaches(namespace: NeededNamespace, mesh: InjectingMesh): readonly Problem[] {
  const labels = { 'kubernetes.io/metadata.name': namespace.name, ...namespace.labels };
  if (matchesSelector(injectorSelector(mesh, 'namespaceSelector'), labels, 'everything')) return [];
  return [CONTROL_PLANE_FINDINGS.requireProxyRefusedNeverInjected({ namespace: namespace.name })];
}

/** Reports required proxies in namespaces whose pods the injector itself needs to start. */
export function checkNeededWithoutProxy(
  required: readonly string[],
  needed: readonly NeededNamespace[],
): readonly Problem[] {
  const caught = needed.map(({ name }) => name).filter((name) => required.includes(name));
  return caught.length === 0
    ? []
    : [CONTROL_PLANE_FINDINGS.requireProxyRefusedTooEarly({ namespaces: caught.join(', ') })];
}
