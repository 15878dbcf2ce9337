import { completeDocument } from "./bandit/document.js";
import { shapeCheck } from "./http/validator.js";
import { BanditParameters, NewBandit } from "./schemas.js";

const nameProblem = shapeCheck(BanditParameters);
const problemOf = shapeCheck(NewBandit);

/** Throws what PUT would refuse a bandit with: a name or a document of the wrong shape, a policy that cannot be made. */
export function checkBandit(name: string, document: unknown): asserts document is NewBandit {
  const problem = nameProblem({ name }) ?? problemOf(document);
  if (problem !== undefined) throw problem;
  completeDocument(document as NewBandit);
}
