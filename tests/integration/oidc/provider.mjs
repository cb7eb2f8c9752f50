// A certified OpenID Connect provider on loopback, with the keys, accounts and clients that a test gives it.
// The input is {port, keys, accounts: {name: claims}, scopes, redirects}.
import Provider from "oidc-provider";

const { port, keys, accounts, scopes, redirects } = JSON.parse(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const algorithm = keys[0].alg;

const provider = new Provider(issuer, {
  jwks: { keys },
  scopes: ["openid", "offline_access", ...scopes],
  clients: [
    {
      client_id: "trawl",
      application_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      redirect_uris: redirects,
    },
    {
      client_id: "robot",
      client_secret: "robot-secret",
      grant_types: ["client_credentials"],
      response_types: [],
      redirect_uris: [],
    },
  ],
  clientDefaults: { id_token_signed_response_alg: algorithm },
  cookies: { keys: ["only for tests"] },
  pkce: { required: () => true },
  ttl: { AccessToken: 300, ClientCredentials: 300, Session: 600, Grant: 600, Interaction: 600, RefreshToken: 600 },
  issueRefreshToken: async () => true,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: (_, token) => accounts[token.accountId ?? token.clientId] ?? {},
  features: {
    clientCredentials: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        audience: resource,
        scope: scopes.join(" "),
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: algorithm } },
      }),
    },
  },
});

provider.listen(port, "127.0.0.1");
