import fastifyCors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import type { Gate } from './gate.ts'

/**
 * Lets the scripts of allowed origins call the routes of `scope` and read their answers, errors
 * too.
 */
export async function allowCors(
  scope: FastifyInstance,
  gate: Gate,
  method: 'GET' | 'POST',
): Promise<void> {
  await scope.register(fastifyCors, {
    delegator: (request, done) =>
      done(null, {
        origin: gate.corsOrigin(request.raw) ?? false,
        methods: [method, 'OPTIONS'],
        allowedHeaders: ['authorization', 'apikey', 'content-type', 'x-client-info'],
        // The page reads from them when to try again: browsers hide both otherwise.
        exposedHeaders: ['retry-after', 'date'],
        maxAge: 86_400,
        strictPreflight: false,
      }),
  })
}
