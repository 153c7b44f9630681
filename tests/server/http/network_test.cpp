// SPDX-License-Identifier: MIT
#include "server/http/network.h"

#include <gtest/gtest.h>

#include "server/http/peer_rates.h"

namespace ludens::server {
namespace {

namespace ip = boost::asio::ip;

bool contains(const char* network, const char* address) {
  return Network::parse(network).value().contains(ip::make_address(address));
}

TEST(Network, IsAnAddressOrHasBits) {
  EXPECT_TRUE(contains("10.1.2.3", "10.1.2.3"));
  EXPECT_FALSE(contains("10.1.2.3", "10.1.2.4"));
  EXPECT_TRUE(contains("10.1.2.3/8", "10.200.0.1"));
  EXPECT_FALSE(contains("10.0.0.0/8", "11.0.0.1"));
  EXPECT_TRUE(contains("0.0.0.0/0", "192.168.1.1"));
  EXPECT_FALSE(contains("0.0.0.0/0", "::1"));
  EXPECT_TRUE(contains("fe80::/10", "fe80::1:2"));
  EXPECT_FALSE(contains("fe80::/10", "2001:db8::1"));
  EXPECT_TRUE(contains("10.0.0.0/8", "::ffff:10.9.9.9"));
  EXPECT_TRUE(contains("::ffff:10.9.9.9", "10.9.9.9"));
}

TEST(Network, ThatIsWrongIsExplained) {
  for (const char* text : {"", "example.org", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "10.0.0.0/x",
                           "10.0.0.0/-1", "::1/129", "10.0.0.0/8/8"}) {
    const auto parsed = Network::parse(text);
    ASSERT_TRUE(parsed.has_error()) << text;
    EXPECT_NE(parsed.error().text.find("10.0.0.0/8"), std::string::npos);
  }
}

TEST(Network, NoneMeansAll) {
  EXPECT_TRUE(allowed({}, ip::make_address("1.2.3.4")));
}

TEST(PeerRates, GiveBackWithTime) {
  PeerRates rates(10);
  const auto peer = ip::make_address("10.0.0.1"), other = ip::make_address("10.0.0.2");
  PeerRates::Clock::time_point now{std::chrono::hours(1)};
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(rates.admit(peer, now));
  EXPECT_FALSE(rates.admit(peer, now));
  EXPECT_TRUE(rates.admit(other, now));
  now += std::chrono::milliseconds(250);
  EXPECT_TRUE(rates.admit(peer, now));
  EXPECT_TRUE(rates.admit(peer, now));
  EXPECT_FALSE(rates.admit(peer, now));
}

TEST(PeerRates, ForgetThoseWhoAreQuiet) {
  PeerRates rates(10);
  PeerRates::Clock::time_point now{std::chrono::hours(1)};
  for (unsigned i = 0; i < 5000; ++i) {
    now += std::chrono::milliseconds(10);
    EXPECT_TRUE(rates.admit(ip::address_v4(i), now));
  }
  EXPECT_LT(rates.known(), 1200u);
}

TEST(PeerRates, CountIpv6ByNetwork) {
  EXPECT_EQ(peer_of(ip::make_address("2001:db8::1")), peer_of(ip::make_address("2001:db8::2")));
  EXPECT_NE(peer_of(ip::make_address("2001:db8::1")), peer_of(ip::make_address("2001:db9::1")));
  EXPECT_EQ(peer_of(ip::make_address("::ffff:10.0.0.1")), ip::make_address("10.0.0.1"));
}

}  // namespace
}  // namespace ludens::server
