import { shellWord } from '#base/shell-word';
import { type DefinitionChange, isOfGatewayApi, storageVersion } from '#linkerd/releases/definition-changes';
import { HTTP_ROUTES, routeVersionOf } from '#linkerd/releases/definitions';
import {
  controlPlaneMove,
  isLower,
  isMove,
  type Move,
  type ReleaseMove,
  skippedLines,
} from '#linkerd/releases/release-moves';
import { type AnchorChange, checkAnchorChange } from '../../gitops/changes/mesh-trust';
import type { PartNamespaces } from '../compare/cluster-contents';
import { type LineStep, oldestKubernetes } from './line-steps';

/** One step of an upgrade. */
export interface Step {
  readonly title: string;
  /** Sentences that describe the step. */
  readonly what: readonly string[];
  /** Commands that execute the step, or check whether the next step can start. */
  readonly commands: readonly string[];
}

interface StepFacts {
  /** Absent if proxies need no preparation for it. */
  readonly anchor?: AnchorChange | undefined;
  readonly moves: readonly ReleaseMove[];
  readonly definitions: readonly DefinitionChange[];
  /** The namespaces of the parts after the change. */
  readonly namespaces: PartNamespaces;
  readonly removedFolders: readonly string[];
  /** Namespaces that are injected as a whole. */
  readonly injected: readonly string[];
  /** Whether the output contains a LinkerdConfig: the operator restarts workloads that have its label. */
  readonly hasConfig: boolean;
  /** Empty unless the move skips minor versions. */
  readonly lines: readonly LineStep[];
}

/** Returns the steps of a change, in order: dependencies first, and proxies after the control plane. */
export function stepsOf(facts: StepFacts): readonly Step[] {
  const anchor = anchorSteps(facts.anchor, facts.namespaces.controlPlane ?? CONTROL_PLANE.usual);
  if (facts.moves.length === 0) return anchor;
  return [
    ...anchor,
    before(facts),
    ...onTheWay(facts),
    ...facts.definitions.flatMap(migration),
    ...gatewayApi(facts),
    ...part(facts, 'crds', CRDS),
    ...part(facts, 'cni', CNI),
    ...part(facts, 'controlPlane', CONTROL_PLANE),
    ...part(facts, 'viz', VIZ),
    ...part(facts, 'jaeger', JAEGER),
    ...dataPlane(facts),
    ...removal(facts),
  ];
}

const ROOTS =
  "kubectl get pods -A -l linkerd.io/control-plane-ns -o custom-columns='NS:.metadata.namespace,POD:.metadata.name,ROOTS:.metadata.annotations.linkerd\\.io/trust-root-sha256'";

/** These steps come first: a change of release would restart pods between them. */
function anchorSteps(change: AnchorChange | undefined, namespace: string): readonly Step[] {
  if (change === undefined) return [];
  const { from, to, fields, lost } = change;
  const isSigner = from !== to || fields.length > 0;
  return [
    {
      title: 'Trust anchor: check that every pod trusts the root that remains',
      what: [
        ...checkAnchorChange(change).map(({ what }) => `${what}.`),
        'The trust bundle must contain the old and the new root. Every meshed pod and the identity controller must have started with both roots: the first command prints both roots, and the second prints the same hash for each injected pod. Otherwise stop here: docs/moving-roots.md describes the steps to take first.',
      ],
      commands: [
        `kubectl get configmap linkerd-identity-trust-roots -n ${namespace} -o jsonpath='{.data.ca-bundle\\.crt}'`,
        ROOTS,
      ],
    },
    ...(isSigner
      ? [
          {
            title: 'Trust anchor: the new root signs',
            what: [
              `Sync the folders of cert-manager and of the control plane. cert-manager reissues the identity issuer: at once if its issuerRef changes, otherwise at its next renewal, or when you run cmctl renew -n ${namespace} linkerd-identity-issuer. The identity controller loads it without a restart. An Event IssuerUpdateSkipped means that the controller does not trust the root: restore the old issuer at once.`,
            ],
            commands: [
              `kubectl get events -n ${namespace} --field-selector reason=IssuerUpdated`,
              `kubectl get events -n ${namespace} --field-selector reason=IssuerUpdateSkipped`,
              'linkerd check --proxy',
            ],
          },
        ]
      : []),
    ...(lost.length > 0
      ? [
          {
            title: 'Trust anchor: remove the old root',
            what: [
              'Wait until all certificates of the old root have expired: the new root must have signed for longer than issuanceLifetime (24 hours by default). Pods drop the old root when they restart, so this step needs no restart.',
            ],
            commands: ['linkerd check --proxy'],
          },
        ]
      : []),
  ];
}

const PROXIES =
  "kubectl get pods -A -l linkerd.io/control-plane-ns -o custom-columns='NS:.metadata.namespace,POD:.metadata.name,PROXY:.metadata.annotations.linkerd\\.io/proxy-version'";

function before({ moves, lines }: StepFacts): Step {
  const move = controlPlaneMove(moves);
  const kubernetes = neededKubernetes(moves);
  return {
    title: 'Before',
    what: [
      'Everything must be healthy and synced.',
      ...(move === undefined
        ? []
        : [
            `All proxies must be of ${move.from}: proxies of older releases would be further behind than this plan assumes.`,
          ]),
      ...(lines.length === 0
        ? []
        : [
            `This output skips ${lines.map(({ line }) => line).join(', ')}. Take the ${lines.length} steps on the way first, each as its own output: then neither these steps nor this output need an acknowledgement.`,
          ]),
      ...(kubernetes === undefined ? [] : [`The cluster must run Kubernetes ${kubernetes} or newer.`]),
      'With argocd.strategy RollingSync, Argo CD syncs CRDs and the CNI plugin before the folders that need them. Otherwise it syncs all folders at once, and each retries until the objects that it needs exist. To take these steps one after the other, turn automated sync off, and sync the folders one by one.',
    ],
    commands: ['linkerd check', PROXIES, ...(kubernetes === undefined ? [] : ['kubectl version'])],
  };
}

function onTheWay({ lines, namespaces }: StepFacts): readonly Step[] {
  const namespace = shellWord(namespaces.controlPlane ?? CONTROL_PLANE.usual);
  return lines.map(({ line, release, what }, index) => ({
    title: `On the way, ${index + 1} of ${lines.length}: Linkerd ${line}, ${release}`,
    what: [
      ...what,
      'Synthesize, commit and sync this release alone, and follow the plan of that commit.',
      'Then restart every meshed workload: the next release supports proxies of this release, but of no older one.',
    ],
    commands: [
      `kubectl rollout status -n ${namespace} deployment/linkerd-identity`,
      `kubectl rollout status -n ${namespace} deployment/linkerd-proxy-injector`,
      PROXIES,
      'linkerd check --proxy',
    ],
  }));
}

function migration({ name, before, after, stored, doubtful }: DefinitionChange): readonly Step[] {
  const gone = [...stored, ...doubtful].sort();
  if (before === undefined || after === undefined || gone.length === 0) return [];
  const next = storageVersion(after) ?? '';
  const left = JSON.stringify({ status: { storedVersions: [next] } });
  const isDefined = before.versions.some((version) => version.name === next);
  const flip = before.versions.flatMap((version, index) =>
    version.storage === (version.name === next)
      ? []
      : [{ op: 'replace', path: `/spec/versions/${index}/storage`, value: version.name === next }],
  );
  return [
    {
      title: `Stored versions of ${name}`,
      what: [
        `${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} removed: while status.storedVersions lists ${gone.length === 1 ? 'it' : 'one of them'}, the API server refuses the new CRD. If the first command does not show ${gone.length === 1 ? 'it' : 'any of them'}, skip this step.`,
        ...(isDefined
          ? [
              'With automated sync off, make the remaining version the stored one, write each object once, and remove the other versions from the list. Fields that exist only in these versions are lost.',
            ]
          : [
              `The current CRD does not contain the remaining version, ${next}: first move to a release that has both versions.`,
            ]),
      ],
      commands: [
        `kubectl get crd ${shellWord(name)} -o jsonpath='{.status.storedVersions}'`,
        ...(isDefined
          ? [
              ...(flip.length === 0
                ? []
                : [`kubectl patch crd ${shellWord(name)} --type json -p ${shellWord(JSON.stringify(flip))}`]),
              `kubectl get ${shellWord(name)} -A -o json | kubectl replace -f -`,
              `kubectl patch crd ${shellWord(name)} --subresource status --type merge -p ${shellWord(left)}`,
            ]
          : []),
      ],
    },
  ];
}

function gatewayApi({ moves, definitions }: StepFacts): readonly Step[] {
  const gone = definitions.filter(({ name, after }) => after === undefined && isOfGatewayApi(name));
  if (gone.length === 0 && !moves.filter(isMove).some(needsNewerRoutes)) return [];
  if (definitions.some(({ name, after }) => after !== undefined && name === HTTP_ROUTES)) return [];
  return [
    {
      title: 'Gateway API',
      what: [
        ...(gone.length === 0
          ? []
          : [
              `The output no longer contains ${gone.map(({ name }) => name).join(', ')}. Argo CD keeps the CRDs in the cluster.`,
            ]),
        'Install version 1.2 or newer of the Gateway API before the control plane moves: the new policy controller looks for HTTPRoute v1 and GRPCRoute v1 when it starts, and ignores these routes until its next start if they are not served.',
      ],
      commands: [
        "kubectl get crd httproutes.gateway.networking.k8s.io grpcroutes.gateway.networking.k8s.io -o custom-columns='NAME:.metadata.name,VERSIONS:.spec.versions[*].name,STORED:.status.storedVersions'",
      ],
    },
  ];
}

function needsNewerRoutes({ part, from, to }: Move): boolean {
  if (part !== 'crds' || isLower({ part, from, to })) return false;
  const next = routeVersionOf(to);
  return next !== undefined && next !== routeVersionOf(from);
}

interface PartStep {
  readonly title: string;
  readonly what: string;
  readonly commands: (namespace: string) => readonly string[];
  /** The namespace of the part in Linkerd's guides. */
  readonly usual: string;
}

const CRDS: PartStep = {
  title: 'CRDs',
  what: 'Install the new CRDs before the components that use them: sync their folder, and wait until they are established. No pod restarts.',
  commands: () => [
    'kubectl wait --for condition=Established --timeout 60s crd servers.policy.linkerd.io httproutes.policy.linkerd.io serviceprofiles.linkerd.io',
  ],
  usual: 'linkerd',
};

const CNI: PartStep = {
  title: 'CNI plugin',
  what: 'The DaemonSet replaces its pods, node by node. Running pods keep their network. A meshed pod that is created on a node while its plugin is replaced fails in linkerd-network-validator: delete it, unless repairController.enabled of linkerd2-cni is true.',
  commands: (namespace) => [`kubectl rollout status -n ${shellWord(namespace)} daemonset/linkerd-cni`],
  usual: 'linkerd-cni',
};

const CONTROL_PLANE: PartStep = {
  title: 'Control plane',
  what: 'Its Deployments roll. Proxies keep their endpoints, policies and certificates, and find the new pods automatically. Once the injector has rolled, new pods get proxies of the new release.',
  commands: (namespace) => [
    ...['identity', 'destination', 'proxy-injector'].map(
      (name) => `kubectl rollout status -n ${shellWord(namespace)} deployment/linkerd-${name}`,
    ),
    'linkerd check',
  ],
  usual: 'linkerd',
};

const VIZ: PartStep = {
  title: 'Viz',
  what: 'Its Deployments roll, and get proxies of the new release. Traffic does not depend on Viz; metrics and tap are unavailable for a moment.',
  commands: () => ['linkerd viz check'],
  usual: 'linkerd-viz',
};

const JAEGER: PartStep = {
  title: 'Tracing',
  what: 'The extension moves or is removed. If it is removed, the proxies of the new release send the traces themselves: keep the collector until all proxies are of the new release.',
  commands: () => [],
  usual: 'linkerd-jaeger',
};

function part(
  { moves, namespaces }: StepFacts,
  name: ReleaseMove['part'],
  { title, what, commands, usual }: PartStep,
): readonly Step[] {
  const move = moves.find((one) => one.part === name);
  if (move === undefined) return [];
  const from = move.from === undefined ? 'is new' : move.from;
  const text = move.to === undefined ? `removal of ${from}` : `${from === 'is new' ? 'new' : from} to ${move.to}`;
  return [{ title: `${title}: ${text}`, what: [what], commands: commands(namespaces[name] ?? usual) }];
}

function dataPlane({ moves, injected, hasConfig, lines }: StepFacts): readonly Step[] {
  const move = controlPlaneMove(moves);
  if (move === undefined) return [];
  const namespaces = injected.length === 0 ? ['NAMESPACE'] : injected;
  return [
    {
      title: `Data plane: every meshed workload, from ${move.from} to ${move.to}, in waves`,
      what: [
        pace(move, lines),
        'A proxy changes only with its pod. Restart a workload that may fail first, then one namespace at a time. Continue when all of its pods are ready and success rates have not changed.',
        ...(injected.length === 0 ? [] : [`Namespaces in the output with injection enabled: ${injected.join(', ')}.`]),
        ...(hasConfig
          ? [
              'The operator restarts workloads with the label config.linkerd.io/reconcile: auto, at most spec.maxUnavailableWorkloads of the LinkerdConfig at a time.',
            ]
          : []),
        'The next move can start when no proxy of an older release is left.',
      ],
      commands: [
        ...namespaces.map(
          (namespace) => `kubectl rollout restart deployment,statefulset,daemonset -n ${shellWord(namespace)}`,
        ),
        PROXIES,
        'linkerd check --proxy',
      ],
    },
  ];
}

function pace(move: Move, lines: readonly LineStep[]): string {
  if (isLower(move)) return 'Restart now: proxies are ahead of their control plane, which is not tested.';
  const skipped = skippedLines(move).length;
  if (skipped === 0) return UNHURRIED;
  const now = `Restart now, one wave right after the other: proxies are ${skipped + 1} minor versions behind their control plane, and Linkerd supports only one.`;
  return lines.length === skipped ? `Without the steps on the way: ${now} With them: ${UNHURRIED}` : now;
}

const UNHURRIED =
  'Take your time: a control plane supports proxies that are one minor version behind. Short-lived pods need no restart.';

function removal({ removedFolders }: StepFacts): readonly Step[] {
  if (removedFolders.length === 0) return [];
  return [
    {
      title: 'Delete removed folders',
      what: [
        `The folders ${removedFolders.join(', ')} are removed. Argo CD deletes none of their objects: delete their Applications with their objects, then apply dist/argocd again.`,
      ],
      commands: removedFolders.map((folder) => `argocd app delete ${shellWord(`CLUSTER-${folder}`)} --cascade`),
    },
  ];
}

/** Returns undefined if no release needs a newer Kubernetes than before. */
function neededKubernetes(moves: readonly ReleaseMove[]): string | undefined {
  const upward = moves.filter(isMove).filter((move) => !isLower(move));
  const [needed] = upward.flatMap(({ from, to }) => {
    const [old, next] = [oldestKubernetes(from), oldestKubernetes(to)];
    return next === undefined || next === old ? [] : [next];
  });
  return needed;
}
