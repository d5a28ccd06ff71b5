import type { BaseAddress } from '../operation.ts';

export type Json = Record<string, unknown>;

/** An operation of the document; its parts are plain JSON. */
export type DescribedOperation = {
  operationId: string;
  summary: string;
  description: string;
  tags: BaseAddress[];
  deprecated?: boolean;
  security?: [];
  servers?: { url: string }[];
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
};

export type OpenApiDocument = {
  openapi: string;
  info: Json & { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Json[];
  tags: { name: BaseAddress; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    securitySchemes: Json;
    headers: Json;
    parameters: Record<string, Json>;
    responses: Record<string, Json>;
    schemas: Record<string, Json>;
  };
};
