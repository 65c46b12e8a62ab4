import { FIELD_MANAGER } from '../../../operator/api/names';

/** Name of the operator's Deployment, service account, roles and all else that there is one of. */
export const OPERATOR = FIELD_MANAGER;

/** Namespace of the operator where nothing else is said. */
export const OPERATOR_NAMESPACE = OPERATOR;

/** Service at which the API server calls the webhooks. */
export const WEBHOOK_SERVICE = `${OPERATOR}-webhook`;

/** The label by which the operator's own pods are known, also to its own webhook, which leaves them alone. */
export const OPERATOR_LABELS = { 'app.kubernetes.io/name': OPERATOR };

/** Ports of the operator: its own defaults. */
export const OPERATOR_PORTS = { webhook: 9443, metrics: 8080, health: 8081 } as const;
