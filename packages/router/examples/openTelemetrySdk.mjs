// What stands in for an OpenTelemetry SDK in the example: it collects ended spans and recorded values instead of exporting them.
import { metrics, SpanStatusCode, trace } from "@opentelemetry/api";

export function standInSdk() {
  const spans = [];
  const records = [];

  class Span {
    isError = false;
    exceptions = [];

    constructor(name, { attributes }) {
      this.name = name;
      this.attributes = { ...attributes };
    }

    setAttribute(key, value) {
      this.attributes[key] = value;
    }

    setStatus({ code }) {
      this.isError = code === SpanStatusCode.ERROR;
    }

    recordException(error) {
      this.exceptions.push(error);
    }

    end() {
      spans.push(this);
    }
  }

  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: (name, options) => new Span(name, options) }) });
  metrics.setGlobalMeterProvider({
    getMeter: () => ({
      createHistogram: (name) => ({ record: (value, attributes) => records.push({ name, value, attributes }) }),
      createCounter: () => ({ add() {} }),
    }),
  });
  return { collected: () => ({ spans, records }) };
}
