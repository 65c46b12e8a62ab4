import { FIELD_MANAGER } from '#operator/api/names';

/** Name of the operator's Deployment, service account, roles and most other objects. */
export const OPERATOR = FIELD_MANAGER;

/** Default namespace of the operator. */
export const OPERATOR_NAMESPACE = OPERATOR;

/** The Service at which the API server calls the webhooks. */
export const WEBHOOK_SERVICE = `${OPERATOR}-webhook`;

/** The label of the operator's own pods. Its webhook ignores pods with it. */
export const OPERATOR_LABELS = { 'app.kubernetes.io/name': OPERATOR };

/** The operator's default ports. */
export const OPERATOR_PORTS = { webhook: 9443, metrics: 8080, health: 8081 } as const;
