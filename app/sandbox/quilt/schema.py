"""The parts of a registry's GraphQL schema that a search needs, as they were at different times."""

from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, cast

from graphql import GraphQLError, GraphQLScalarType, GraphQLSchema, build_schema

Generation = Literal[0, 1, 2, 3]
"""0: no search at all; 1: before August 2025; 2: searches may fail with OperationError; 3: since August 2026."""

_BASE: Final = """
directive @admin on FIELD_DEFINITION
scalar Datetime
scalar Json
scalar JsonRecord

type BucketConfig {
  name: String!
  title: String!
  iconUrl: String
  description: String
  linkedData: Json
  overviewUrl: String
  tags: [String!]
  relevanceScore: Int!
  lastIndexed: Datetime
  browsable: Boolean!
}
type InputError { path: String message: String! name: String! context: JsonRecord }
type InvalidInput { errors: [InputError!]! }
type OperationError { message: String! name: String! context: JsonRecord }
type Ok { _: Boolean }
union BrowsingSessionDisposeResult = Ok | OperationError
type Mutation { browsingSessionDispose(id: ID!): BrowsingSessionDisposeResult! }
"""

_QUERY: Final = "type Query { bucketConfigs: [BucketConfig!]! bucketConfig(name: String!): BucketConfig }"

_SEARCH: Final = """
extend type Query {
  searchObjects(buckets: [String!], searchString: String, filter: ObjectsSearchFilter): ObjectsSearchResult!
  searchPackages(
    buckets: [String!]
    searchString: String
    filter: PackagesSearchFilter
    userMetaFilters: [PackageUserMetaPredicate!]
    latestOnly: Boolean! = false
  ): PackagesSearchResult!
  searchMoreObjects(after: String!, size: Int = 30): ObjectsSearchMoreResult!
  searchMorePackages(after: String!, size: Int = 30): PackagesSearchMoreResult!
}
enum SearchResultOrder { BEST_MATCH NEWEST OLDEST LEX_ASC LEX_DESC }

input DatetimeSearchPredicate { gte: Datetime lte: Datetime }
input NumberSearchPredicate { gte: Float lte: Float }
input TextSearchPredicate { queryString: String! }
input KeywordSearchPredicate { terms: [String!] wildcard: String }
input BooleanSearchPredicate { true: Boolean false: Boolean }
input ObjectsSearchFilter {
  modified: DatetimeSearchPredicate
  size: NumberSearchPredicate
  ext: KeywordSearchPredicate
  key: KeywordSearchPredicate
  content: TextSearchPredicate
  deleted: BooleanSearchPredicate
}
input PackagesSearchFilter {
  modified: DatetimeSearchPredicate
  size: NumberSearchPredicate
  name: KeywordSearchPredicate
  hash: KeywordSearchPredicate
  entries: NumberSearchPredicate
  comment: TextSearchPredicate
  workflow: KeywordSearchPredicate
}
input PackageUserMetaPredicate {
  path: String!
  datetime: DatetimeSearchPredicate
  number: NumberSearchPredicate
  text: TextSearchPredicate
  keyword: KeywordSearchPredicate
  boolean: BooleanSearchPredicate
}

type SearchHitObject {
  id: ID!
  score: Float!
  bucket: String!
  key: String!
  version: String!
  size: Float!
  modified: Datetime!
  deleted: Boolean!
  indexedContent: String
}
type ObjectsSearchResultSetPage { cursor: String hits: [SearchHitObject!]! }
type ObjectsSearchResultSet {
  total: Int!
  firstPage(size: Int = 30, order: SearchResultOrder): ObjectsSearchResultSetPage!
}
type SearchHitPackageMatchLocations { name: Boolean! comment: Boolean! meta: Boolean! workflow: Boolean! }
type SearchHitPackageEntryMatchLocations {
  logicalKey: Boolean!
  physicalKey: Boolean!
  meta: Boolean!
  contents: Boolean!
}
type SearchHitPackageMatchingEntry {
  logicalKey: String!
  physicalKey: String!
  size: Float!
  meta: String
  matchLocations: SearchHitPackageEntryMatchLocations!
}
type SearchHitPackage {
  id: ID!
  score: Float!
  bucket: String!
  name: String!
  pointer: String!
  hash: String!
  size: Float!
  modified: Datetime!
  totalEntriesCount: Int!
  comment: String
  meta: String
  workflow: JsonRecord
  matchLocations: SearchHitPackageMatchLocations!
  matchingEntries: [SearchHitPackageMatchingEntry!]!
}
type PackagesSearchResultSetPage { cursor: String hits: [SearchHitPackage!]! }
type EmptySearchResultSet { _: Boolean }
"""

_FAILURES: Final = {1: "InvalidInput", 2: "InvalidInput | OperationError", 3: "InvalidInput | OperationError"}
_FIRST_PAGE: Final = "type PackagesSearchResultSet {{ total: Int! firstPage(size: Int = 30, {}): {}! }}"
_ENUM_ORDER: Final = _FIRST_PAGE.format("order: SearchResultOrder", "PackagesSearchResultSetPage")
_WORD_ORDER: Final = (
    "scalar PackageOrdering\n"
    + _FIRST_PAGE.format("ordering: PackageOrdering", "PackagesFirstPageResult")
    + "\nunion PackagesFirstPageResult = PackagesSearchResultSetPage | InvalidInput | OperationError"
)


@cache
def schema(generation: Generation) -> GraphQLSchema:
    """Return the schema of a registry of that time."""
    text = _BASE + _QUERY
    if generation:
        failures = _FAILURES[generation]
        text += _SEARCH + (_WORD_ORDER if generation == 3 else _ENUM_ORDER)
        for kind in ("Objects", "Packages"):
            text += f"\nunion {kind}SearchResult = {kind}SearchResultSet | EmptySearchResultSet | {failures}"
            text += f"\nunion {kind}SearchMoreResult = {kind}SearchResultSetPage | {failures}"
    built = build_schema(text)
    scalar = cast("GraphQLScalarType", built.type_map["Datetime"])
    scalar.coerce_input_value = _moment
    scalar.coerce_input_literal = lambda node: _moment(getattr(node, "value", None))
    return built


def _moment(value: Any) -> datetime:
    if not isinstance(value, str):
        raise GraphQLError("Datetime must be a string")
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise GraphQLError(f"Not a datetime: {value!r}") from None
