import { isLabelKey } from '../names';
import { showValue } from '../value-path';
import { all, type Check, type Fields, type Findings, object, objectIn, own, REFUSES } from './check';
import type { RuleTable } from './rule-table';
import { quantityIn } from './scalars';

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources that Kubernetes itself knows: those without a prefix, and those with its own. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** The names of resources of containers (k8s.io/kubernetes/pkg/apis/core/validation, validateContainerResourceName). */
function isContainerResource(name: string): boolean {
  if (!isLabelKey(name)) return false;
  if (!name.includes('/')) return STANDARD.has(name) || isHugePages(name);
  return isNative(name) || (!name.startsWith('requests.') && isLabelKey(`requests.${name}`));
}

function checkAmount(name: string, value: unknown, findings: Findings, isKnown: (name: string) => boolean): void {
  if (!isKnown(name)) {
    findings.refuse(
      {
        code: 'resource-unknown',
        says: 'is no resource of containers',
        why: `${REFUSES}: others have a prefix, "example.com/gpu"`,
        fix: 'name a resource',
      },
      name,
    );
    return;
  }
  const amount = quantityIn(value) ?? 0;
  if (amount < 0) {
    findings.refuse(
      {
        code: 'quantity-negative',
        says: `is ${showValue(value)}`,
        why: `${REFUSES}: the quantity must not be negative`,
        fix: 'write it without a sign',
      },
      name,
    );
  }
  if (!isNative(name) && !Number.isInteger(amount)) {
    findings.refuse(
      {
        code: 'quantity-not-whole',
        says: `is ${showValue(value)}`,
        why: `${REFUSES}: the resource comes in whole units`,
        fix: 'write a whole number',
      },
      name,
    );
  }
  const page = isHugePages(name) ? quantityIn(name.slice('hugepages-'.length)) : undefined;
  if (isHugePages(name) && (page === undefined || page <= 0 || amount % page !== 0)) {
    findings.refuseValue(value, `${REFUSES}: it must be a multiple of the size in the name`, 'write a multiple', name);
  }
}

/** Requests and limits, for resources whose names `isKnown` tells. */
function resources(isKnown: (name: string) => boolean): Check {
  return object((requirements, findings) => {
    const limits = objectIn(requirements, 'limits');
    const requests = objectIn(requirements, 'requests');
    for (const [name, value] of Object.entries(limits)) {
      findings.at('limits', limits, () => checkAmount(name, value, findings, isKnown));
    }
    for (const [name, value] of Object.entries(requests)) {
      findings.at('requests', requests, () => {
        checkAmount(name, value, findings, isKnown);
        checkRequest(name, value, limits, findings);
      });
    }
    const names = new Set([...Object.keys(limits), ...Object.keys(requests)]);
    if ([...names].some(isHugePages) && !names.has('cpu') && !names.has('memory')) {
      findings.refuseWhole({
        code: 'huge-pages-alone',
        says: 'has huge pages, and neither cpu nor memory',
        why: `${REFUSES}: huge pages need one of these`,
        fix: 'add cpu or memory',
      });
    }
  });
}

function checkRequest(name: string, value: unknown, limits: Fields, findings: Findings): void {
  const limit = own(limits, name);
  const request = quantityIn(value);
  const most = quantityIn(limit);
  const isFixed = !isNative(name) || isHugePages(name);
  if (isFixed && limit === undefined) {
    findings.refuseValue(value, `${REFUSES}: the resource needs a limit`, 'set a limit of the same amount', name);
  }
  if (request === undefined || most === undefined) return;
  if (isFixed && request !== most) {
    findings.refuseValue(value, `${REFUSES}: the resource's request and limit are equal`, `write ${limit}`, name);
  } else if (request > most) {
    findings.refuse(
      {
        code: 'request-over-limit',
        says: `is ${showValue(value)}`,
        why: `${REFUSES}: it is more than the limit of ${limit}`,
        fix: `write ${limit} or less`,
      },
      name,
    );
  }
}

/** Requests and limits of a container. */
export const containerResources = resources(isContainerResource);

/** Resources that can be set for a pod as a whole. */
export const podResources = all(
  resources((name) => name === 'cpu' || name === 'memory' || isHugePages(name)),
  object((value, findings) => {
    if (own(value, 'claims') !== undefined) {
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is set',
          why: `${REFUSES} for a pod as a whole`,
          fix: 'set it in a container',
        },
        'claims',
      );
    }
  }),
);

/** Rules of the resources that containers and pods ask for. */
export const RESOURCE_RULES: RuleTable = {
  ResourceRequirements: containerResources,
};
