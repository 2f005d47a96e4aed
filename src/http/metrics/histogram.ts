// The values of a histogram as prom-client renders them, from counts that are not cumulative.

export interface Histogram {
  labels: Record<string, string | number>;
  /** Upper ends of the buckets. */
  bounds: readonly number[];
  buckets: readonly number[];
  count: number;
  sum: number;
}

export function histogram(name: string, { labels, bounds, buckets, count, sum }: Histogram) {
  let below = 0;
  const cumulated = bounds.map((le, at) => {
    below += buckets[at] as number;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
  });
  return [
    ...cumulated,
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
