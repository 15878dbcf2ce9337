/** Moves places apart until neighbours are `distance` apart, as little as possible from where they were, inside [low, high] if they fit. */
export function spread(places: readonly number[], distance: number, low: number, high: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => places[a]! - places[b]! || a - b);
  // Clusters of touching labels, each centred on the mean of the places where its labels belong.
  const clusters: { members: number[]; sum: number }[] = [];
  const top = ({ members, sum }: { members: number[]; sum: number }): number =>
    Math.max(low, Math.min(high - (members.length - 1) * distance, sum / members.length - ((members.length - 1) * distance) / 2));
  for (const index of order) {
    let cluster = { members: [index], sum: places[index]! };
    let previous = clusters.at(-1);
    while (previous !== undefined && top(previous) + previous.members.length * distance > top(cluster)) {
      cluster = { members: [...previous.members, ...cluster.members], sum: previous.sum + cluster.sum };
      clusters.pop();
      previous = clusters.at(-1);
    }
    clusters.push(cluster);
  }
  const moved = [...places];
  for (const cluster of clusters) for (const [rank, index] of cluster.members.entries()) moved[index] = top(cluster) + rank * distance;
  return moved;
}
