import Type from 'typebox';
import { defineOperation } from '../operation.ts';

const health = Type.Object({ status: Type.String() });

export const livenessOperation = defineOperation({
  operationId: 'readLiveness',
  method: 'GET',
  path: '/health/live',
  base: 'system',
  scope: 'public',
  summary: 'The process runs',
  response: { 200: health },
});

export const readinessOperation = defineOperation({
  operationId: 'readReadiness',
  method: 'GET',
  path: '/health/ready',
  base: 'system',
  scope: 'public',
  summary: 'The process can serve: its database answers',
  response: { 200: health },
});
