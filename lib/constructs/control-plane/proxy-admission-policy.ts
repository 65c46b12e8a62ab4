import { Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../../imports/kubernetes';
import { addRule } from '../../gitops/tree/add-rule';
import { objectsAround } from '../../gitops/tree/api-objects';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';
import { aheadOfFolder } from '../../gitops/tree/order';
import type { Problem } from '../../kubernetes/findings/problem';
import { matchesSelector } from '../../kubernetes/label-selector';
import { checkDnsLabel } from '../../kubernetes/names';
import { type Values, valueAt } from '../../kubernetes/values';
import { ADMISSION_WEBHOOKS, INJECT } from '../../linkerd/annotations';
import { defaultsOf } from '../../linkerd/releases/chart-defaults';
import { type GivenRelease, releaseOf } from '../../linkerd/releases/release';
import { CONTROL_PLANE_FINDINGS } from './findings';
import type { NeededNamespace } from './namespaces';

/** The requirement on the pods of a namespace. */
interface RequiredProxies {
  readonly namespace: string;
  /** The action where a pod has no proxy; `false` for none. */
  readonly action: ProxyRequirement | false;
  /** The mesh whose injector gives the proxies. */
  readonly mesh: InjectingMesh;
  /** Tells whether nobody asked for it by name, so that whoever does decides. */
  readonly preset: boolean;
}

/**
 * Has the API server look for the proxy of each new pod of a namespace that should have one. Without, a pod that starts
 * before the proxy injector answers runs outside of the mesh until somebody deletes it.
 *
 * One namespace has one policy: what a user says of it counts more than what a construct of the mesh presets.
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
  const policy = (chart.node.tryFindChild(id) ?? new ProxyAdmissionPolicy(chart, id, required)) as ProxyAdmissionPolicy;
  addRule(scope, () => policy.check(required));
  policy.decide(required);
}

/**
 * The namespaces in the chart of `scope` in which somebody asked to refuse pods without their proxy. Constructs of the
 * mesh that preset it for their own namespace tell themselves that it cannot be in the mesh.
 */
export function namespacesRefusing(scope: IConstruct): readonly string[] {
  return meshScopeOf(scope)
    .node.findAll()
    .filter((construct) => construct instanceof ProxyAdmissionPolicy)
    .filter(({ asked }) => asked === 'deny')
    .map(({ namespace }) => namespace);
}

/**
 * A ValidatingAdmissionPolicy (Kubernetes 1.30) on the creation of pods, bound to one namespace, and in its folder,
 * ahead of all else there: API servers take a policy up within a second or two, and Argo CD waits two seconds between
 * waves.
 *
 * It fails closed, and cannot fail but by its own expressions, which guard each field that may be absent.
 */
class ProxyAdmissionPolicy extends Construct {
  readonly namespace: string;
  asked?: ProxyRequirement | false;
  private preset: ProxyRequirement | false = false;

  constructor(scope: Construct, id: string, { namespace, mesh }: RequiredProxies) {
    super(scope, id);
    this.namespace = namespace;
    setHomeNamespace(this, namespace);
    addRule(this, () => (this.action === false ? [] : checkReach(this, namespace, mesh)));
  }

  get action(): ProxyRequirement | false {
    return this.asked ?? this.preset;
  }

  decide({ action, preset, mesh }: RequiredProxies): void {
    if (preset) this.preset = action;
    else this.asked ??= action;
    if (this.action === false) for (const id of ['policy', 'binding']) this.node.tryRemoveChild(id);
    else if (this.node.tryFindChild('policy') === undefined) this.addObjects(mesh);
  }

  check({ namespace, action, preset }: RequiredProxies): readonly Problem[] {
    const problems = action === false ? [] : checkProxyRequirement(namespace, action);
    if (problems.length > 0 || preset || action === this.action) return problems;
    const [here, elsewhere] = [String(JSON.stringify(action)), String(JSON.stringify(this.action))];
    return [CONTROL_PLANE_FINDINGS.requireProxyRefusedContradicted({ namespace, here, elsewhere })];
  }

  private addObjects(mesh: InjectingMesh): void {
    const name = `linkerd-require-proxy-${this.namespace}`;
    const policy = manifest(this, 'policy', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          // Pods that the injector is not asked about are not to have a proxy.
          objectSelector: lazy(() => injectorSelector(mesh, 'objectSelector')),
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: 'Namespaced' },
          ],
        },
        matchConditions: MATCH_CONDITIONS,
        variables: VARIABLES,
        validations: [{ expression: [WANTS_NONE, ...HAS_PROXY].join(' || '), message: MESSAGE, reason: 'Forbidden' }],
      },
    } satisfies ValidatingAdmissionPolicy);
    const binding = manifest(this, 'binding', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        matchResources: {
          matchPolicy: 'Equivalent',
          namespaceSelector: {
            matchLabels: { 'kubernetes.io/metadata.name': this.namespace },
            // The label by which people turn the injector off in an emergency.
            matchExpressions: [{ key: ADMISSION_WEBHOOKS, operator: 'NotIn', values: ['disabled'] }],
          },
        },
        validationActions: lazy(() => validationActions(this.action)),
      },
    } satisfies ValidatingAdmissionPolicyBinding);
    for (const object of [policy, binding]) aheadOfFolder(object);
  }
}

const MATCH_CONDITIONS = [
  // The injector leaves these alone: it would redirect the traffic of the node.
  { name: 'own-network', expression: '!object.spec.?hostNetwork.orValue(false)' },
  // The kubelet's account of a static pod, which runs whatever is said here.
  { name: 'no-mirror', expression: '!object.metadata.?annotations[?"kubernetes.io/config.mirror"].hasValue()' },
];

/** Returns the word by which a pod, or its namespace, asks for injection; an empty value is none. */
const mode = (metadata: string) => `${metadata}.?annotations[?"${INJECT}"].orValue("")`;

/** Not in match conditions, which are evaluated without the namespace. */
const VARIABLES = [
  { name: 'podMode', expression: mode('object.metadata') },
  { name: 'namespaceMode', expression: mode('namespaceObject.metadata') },
];

/**
 * True of pods that ask for no proxy, neither themselves nor by their namespace. In what words they ask does not matter:
 * the injector knows few, and passes over the others without saying so.
 */
const WANTS_NONE = '(variables.podMode != "" ? variables.podMode : variables.namespaceMode) in ["", "disabled"]';

/** A sidecar of either kind. */
const HAS_PROXY = ['containers', 'initContainers'].map(
  (list) => `object.spec.?${list}.orValue([]).exists(container, container.name == "linkerd-proxy")`,
);

const MESSAGE =
  `The pod has no container linkerd-proxy, though ${INJECT} of it or of its namespace asks for one: the proxy injector ` +
  'did not answer, or cannot inject this pod (other sidecars, an unknown value of the annotation). ' +
  `Controllers try again by themselves; with ${INJECT}: disabled on the pod it starts without`;

function checkReach(scope: Construct, namespace: string, mesh: InjectingMesh): readonly Problem[] {
  const [object] = objectsAround(scope)
    .filter(({ kind, name }) => kind === 'Namespace' && name === namespace)
    .flatMap(({ json }) => json());
  const { labels = {}, annotations = {} } = object?.metadata ?? {};
  // Where the namespace is meshed as a whole, that is reported already.
  if (['enabled', 'ingress'].includes(annotations[INJECT] ?? '')) return [];
  return checkInjectorReaches({ name: namespace, labels }, mesh);
}

function lazy(produce: () => unknown) {
  return Lazy.any({ produce });
}

/**
 * The fate of a pod that should have a proxy and comes without: `deny` has the API server refuse it, and whoever made it
 * try again; `warn` lets it in with a warning and a mark in the audit log; `audit` leaves the mark only.
 */
export type ProxyRequirement = 'deny' | 'warn' | 'audit';

const VALIDATION_ACTIONS = new Map<unknown, readonly string[]>([
  ['deny', ['Deny']],
  ['warn', ['Warn', 'Audit']],
  ['audit', ['Audit']],
] satisfies [ProxyRequirement, string[]][]);

/** The validationActions of a binding; what is no requirement is reported, and here as good as any. */
function validationActions(action: ProxyRequirement | false): readonly string[] {
  return VALIDATION_ACTIONS.get(action) ?? ['Deny'];
}

/** A control plane as far as it says about which pods its injector is asked. */
interface InjectingMesh {
  readonly release: GivenRelease;
  /** All values of its chart, where they are known. */
  readonly effectiveValues?: Values;
}

/** A selector of the proxy injector's webhook. To be asked at synth. */
function injectorSelector(
  { release, effectiveValues }: InjectingMesh,
  selector: 'namespaceSelector' | 'objectSelector',
): unknown {
  return valueAt(effectiveValues ?? defaultsOf(releaseOf(release)).controlPlane, `proxyInjector.${selector}`);
}

/** Reports an action that is none: untyped code, or a value read from elsewhere. */
function checkProxyRequirement(namespace: string, action: ProxyRequirement): readonly Problem[] {
  if (VALIDATION_ACTIONS.has(action)) return [];
  const known = [...VALIDATION_ACTIONS.keys()].join(', ');
  return [
    CONTROL_PLANE_FINDINGS.requireProxyRefusedAction({ namespace, action: String(JSON.stringify(action)), known }),
  ];
}

/** Reports a namespace whose pods the injector is not asked about: none of them would ever start, or none be looked at. */
function checkInjectorReaches(namespace: NeededNamespace, mesh: InjectingMesh): readonly Problem[] {
  const labels = { 'kubernetes.io/metadata.name': namespace.name, ...namespace.labels };
  if (matchesSelector(injectorSelector(mesh, 'namespaceSelector'), labels)) return [];
  return [CONTROL_PLANE_FINDINGS.requireProxyRefusedNeverInjected({ namespace: namespace.name })];
}

/** Reports required proxies in namespaces without whose pods the injector itself cannot start. */
export function checkNeededWithoutProxy(
  required: readonly string[],
  needed: readonly NeededNamespace[],
): readonly Problem[] {
  const caught = needed.map(({ name }) => name).filter((name) => required.includes(name));
  return caught.length === 0
    ? []
    : [CONTROL_PLANE_FINDINGS.requireProxyRefusedTooEarly({ namespaces: caught.join(', ') })];
}
